import AttachmentModel
import Downloading
import Glibc
import PolicyChecking
import Reporting

/// Every option of every command: parsing, error text, help, the environment and configuration
/// files are all read off this table.
enum OptionTable {
  /// In the order of the help.
  static let all: [CommandOption] =
    output + judging + time + batch + network + previews + configuration + serving

  /// The options of one command, in the order of the help.
  static func options(of command: Command) -> [CommandOption] {
    all.filter { $0.commands.contains(command) }
  }

  static let every: Set<Command> = [.check, .preview, .serve]
  static let checking: Set<Command> = [.check, .serve]

  private static let output: [CommandOption] = [
    .flag(
      "json",
      \.printsJSON,
      "print JSON lines, one a source, as they finish",
      for: [.check]
    ),
    .flag("json", \.printsJSON, "print JSON lines, one an entry", for: [.list]),
    .flag("ordered", \.isOrdered, "print results in the order of the sources", for: [.check]),
    .folder(
      "output",
      "keep files and previews in DIR, named after their SHA-256; it is made where missing",
      for: [.check]
    ) { $1.outputFolder = $0 },
    CommandOption(
      name: "output",
      short: "o",
      kind: .file,
      placeholder: "OUT",
      reach: .commandLine,
      help: "the file to write the preview to, or '-' for standard output",
      commands: [.preview]
    ) { (values, settings) throws(InvalidValue) in
      guard let file = values.last, !file.isEmpty else {
        throw InvalidValue(requirement: "must name a file", value: values.last)
      }
      settings.previewOutput = file
    },
    .flag("sha256", \.hashesFiles, "hash files that are not kept, too", for: [.check]),
    CommandOption(
      name: "report",
      kind: .text,
      placeholder: "FORMAT",
      choices: ReportFormat.allCases.map(\.rawValue),
      help: "write a report beside the output: junit, sarif or html; needs --report-file",
      commands: [.check]
    ) { (values, settings) throws(InvalidValue) in
      let names = ReportFormat.allCases.map(\.rawValue)
      guard let name = values.last, let format = ReportFormat(rawValue: name) else {
        throw InvalidValue(
          requirement: "must be one of " + names.joined(separator: ", ")
            + Suggestion.hint(for: values.last ?? "", among: names),
          value: values.last
        )
      }
      settings.reportFormat = format
    },
    CommandOption(
      name: "report-file",
      kind: .file,
      placeholder: "FILE",
      help: "where --report goes; appears whole at the end, or not at all",
      commands: [.check]
    ) { (values, settings) throws(InvalidValue) in
      guard let file = values.last, !file.isEmpty, file != "-" else {
        throw InvalidValue(
          requirement: "must name a file; standard output has the results",
          value: values.last
        )
      }
      settings.reportFile = file
    },
  ]

  private static let judging: [CommandOption] = [
    CommandOption(
      name: "policy",
      kind: .file,
      placeholder: "NAME",
      isRepeatable: true,
      choices: AttachmentPolicy.builtInNames,
      defaultText: Settings.defaultPolicy,
      help: "judge by this policy, one of " + AttachmentPolicy.builtInNames.joined(separator: ", ")
        + ", or by a policy file",
      commands: every
    ) { (values, settings) throws(InvalidValue) in
      var policies: [AttachmentPolicy] = []
      for value in values {
        let policy = try PolicySource.policy(value)
        if policies.contains(policy) { continue }
        guard !policies.contains(where: { $0.name == policy.name }) else {
          throw InvalidValue(
            requirement: "is another policy named \(policy.name); give it a name of its own",
            value: value
          )
        }
        policies.append(policy)
      }
      settings.policies = policies
    },
    CommandOption(
      name: "show",
      kind: .file,
      placeholder: "NAME",
      reach: .commandLine,
      choices: AttachmentPolicy.builtInNames,
      help: "print this policy's JSON, to be edited and passed to --policy",
      commands: [.list]
    ) { (values, settings) throws(InvalidValue) in
      settings.shownPolicy = try values.last.map(PolicySource.policy)
    },
    .flag("quick", \.isQuick, "decode no pixels, and so make no previews", for: checking),
    .flag(
      "no-sandbox",
      \.skipsSandbox,
      "decode in this process, for debugging, and of pictures only JPEG, PNG and GIF",
      for: every
    ),
  ]

  private static let time: [CommandOption] = [
    .duration(
      "budget",
      \.allowance,
      "the whole of one source, from its slot to its preview",
      for: every
    ),
    .optionalDuration(
      "timeout",
      \.downloading.timeout,
      "one attempt, body included; without it what remains of the budget",
      for: every
    ),
    .duration(
      "connect-timeout",
      \.downloading.connectTimeout,
      "name look-up, TCP and TLS together",
      for: every
    ),
    .duration(
      "first-byte-timeout",
      \.downloading.firstByteTimeout,
      "from the request to the answer's first byte",
      for: every
    ),
    .duration(
      "stall-timeout",
      \.downloading.stallTimeout,
      "the window in which at least 1 kB must come",
      for: every
    ),
  ]

  private static let batch: [CommandOption] = [
    .optionalDuration(
      "total-budget",
      \.totalAllowance,
      upTo: .seconds(168 * 3_600),
      "all sources together; what cannot start in time is not tried",
      for: [.check]
    ),
    .optionalSize(
      "total-bytes",
      \.totalBytes,
      "once this much was fetched, no further source is tried; what is under way is finished",
      for: [.check]
    ),
    .optionalSize(
      "quota",
      \.quota,
      "the most bytes that fetched files and previews may take on the disk at once",
      for: checking
    ),
  ]

  private static let network: [CommandOption] = [
    .count(
      "retries",
      \.downloading.retries,
      within: 0...20,
      "attempts after the first: after a connection refused, broken or not made in time, a cut "
        + "body, or status 408, 425, 429, 500, 502, 503 or 504; other time-outs are final",
      for: every
    ),
    .folder(
      "cache",
      "keep in DIR what was fetched, as its origin allows; nothing behind redirects",
      for: every
    ) { $1.downloading.cacheFolder = $0 },
    .size(
      "cache-bytes",
      \.downloading.cacheQuota,
      within: ByteCount(1)...ByteCount.megabytes(100_000_000),
      "the most bytes that the cache may take; what was used longest ago goes first",
      for: every
    ),
    .flag(
      "deadline-aware",
      \.downloading.isDeadlineAware,
      "give up as soon as the rate cannot make the budget",
      for: every
    ),
    .count(
      "max-redirects",
      \.downloading.maximumRedirects,
      within: 0...50,
      "redirects to follow",
      for: every
    ),
    .count(
      "concurrency",
      \.downloading.concurrency,
      within: 1...4_096,
      "transfers at once",
      for: checking
    ),
    .count(
      "per-host",
      \.downloading.perHost,
      within: 1...4_096,
      "transfers at once to one host",
      for: checking
    ),
    .flag(
      "allow-private-addresses",
      \.downloading.addresses.allowsPrivateAddresses,
      "connect to private, loopback and link-local addresses, too",
      for: every
    ),
    CommandOption(
      name: "allow-address",
      kind: .text,
      placeholder: "CIDR",
      isRepeatable: true,
      help: "connect to this network, whatever it is, as in 10.1.0.0/16",
      commands: every
    ) { (values, settings) throws(InvalidValue) in
      settings.downloading.addresses.allowedNetworks = []
      for value in values {
        guard let range = AddressRange(value) else {
          throw InvalidValue(
            requirement: "must be a network or an address, as in 10.1.0.0/16 or fd00::/8",
            value: value
          )
        }
        settings.downloading.addresses.allowedNetworks.append(range)
      }
    },
    CommandOption(
      name: "allow-port",
      kind: .count,
      placeholder: "N",
      isRepeatable: true,
      help: "connect to this port, besides 80, 443 and 1024 to 65535",
      commands: every
    ) { (values, settings) throws(InvalidValue) in
      settings.downloading.addresses.allowedPorts = []
      for value in values {
        guard let port = Int(value), (1...65_535).contains(port) else {
          throw InvalidValue(requirement: "must be a port from 1 to 65535", value: value)
        }
        settings.downloading.addresses.allowedPorts.insert(port)
      }
    },
    CommandOption(
      name: "header",
      kind: .text,
      placeholder: "NAME:VALUE",
      isRepeatable: true,
      separator: "\n",
      help: "send this header, to the first host only",
      commands: every
    ) { (values, settings) throws(InvalidValue) in
      var probe = Downloader.Configuration()
      probe.headers = values
      // Headers carry tokens, so an offending one is not printed.
      guard probe.validate() == nil else {
        throw InvalidValue(
          requirement: "must be NAME:VALUE without line breaks, as in 'Accept-Language: en'",
          value: nil
        )
      }
      settings.downloading.headers = values
    },
    CommandOption(
      name: "user-agent",
      kind: .text,
      placeholder: "TEXT",
      defaultText: Settings().downloading.userAgent,
      help: "the User-Agent header",
      commands: every
    ) { (values, settings) throws(InvalidValue) in
      guard let text = values.last, !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
        throw InvalidValue(requirement: "must be without control characters", value: values.last)
      }
      settings.downloading.userAgent = text
    },
    CommandOption(
      name: "ca-file",
      kind: .file,
      placeholder: "FILE",
      help: "trust the certificate authorities in this PEM file instead of the system's",
      commands: every.union([.health])
    ) { (values, settings) throws(InvalidValue) in
      guard let file = values.last, access(file, R_OK) == 0 else {
        throw InvalidValue(requirement: "must be a file that can be read", value: values.last)
      }
      guard holdsCertificates(file) else {
        throw InvalidValue(requirement: "must be a PEM file with a certificate in it", value: file)
      }
      settings.downloading.certificateAuthorities = file
    },
  ]

  /// Whether a file can be what libcurl takes for CURLOPT_CAINFO.
  ///
  /// With another one every source over https would be unobtainable. Pipes can be read only once,
  /// and large files are taken at their word.
  private static func holdsCertificates(_ file: String) -> Bool {
    var status = stat()
    guard stat(file, &status) == 0 else { return false }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return false
    case S_IFREG where status.st_size <= 1_000_000:
      let bytes = (try? SmallFile.read(file)) ?? []
      return String(decoding: bytes, as: UTF8.self).contains("CERTIFICATE-----")
    default: return true
    }
  }

  private static let configuration: [CommandOption] = [
    CommandOption(
      name: "config",
      kind: .file,
      placeholder: "FILE",
      reach: .environment,
      help: "read options from this JSON file; its keys are option names without dashes",
      commands: every
    ) { (values, settings) throws(InvalidValue) in
      settings.configurationFile = values.last
    }
  ]
}
