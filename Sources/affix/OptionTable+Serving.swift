import AttachmentModel
import HTTPService
import Observability

extension OptionTable {
  private static let serveOnly: Set<Command> = [.serve]

  /// The options of the service alone.
  static let serving: [CommandOption] = listening + access + limits + results + logging

  private static let listening: [CommandOption] = [
    CommandOption(
      name: "listen",
      kind: .text,
      placeholder: "ADDRESS:PORT",
      defaultText: ListeningAddress.usual.asWritten,
      help: "where the service listens; serving beyond loopback needs --tokens-file",
      commands: [.serve, .health]
    ) { (values, settings) throws(InvalidValue) in
      guard let text = values.last, let address = ListeningAddress(text) else {
        throw InvalidValue(
          requirement: "must be a numeric address and a port, as in 127.0.0.1:8470 or [::1]:8470",
          value: values.last
        )
      }
      settings.listening = address
    },
    .file(
      "tls-certificate",
      "the service's PEM chain: it speaks HTTPS; serving needs --tls-key as well",
      for: [.serve, .health]
    ) { (path, settings) throws(InvalidValue) in
      settings.certificateChain = try text(of: path)
      settings.certificateFile = path
    },
    .file(
      "tls-key",
      "the PEM key of --tls-certificate",
      for: serveOnly
    ) { (path, settings) throws(InvalidValue) in
      settings.certificateKey = try text(of: path)
    },
  ]

  private static let access: [CommandOption] = [
    .file(
      "tokens-file",
      "demand one of the tokens in this file, one a line, perhaps behind a label",
      for: serveOnly
    ) { (path, settings) throws(InvalidValue) in
      do throws(ServiceError) {
        settings.service.tokens = try AccessTokens(text: try text(of: path, for: path))
      } catch {
        throw InvalidValue(requirement: "cannot be used: \(error.message)", value: path)
      }
    },
    .file(
      "signing-keys-file",
      "sign addresses of files and previews; a name and hexadecimal digits a line",
      for: serveOnly
    ) { (path, settings) throws(InvalidValue) in
      do throws(ServiceError) {
        settings.service.signer = try URLSigner(text: try text(of: path, for: path))
      } catch {
        throw InvalidValue(requirement: "cannot be used: \(error.message)", value: path)
      }
    },
    CommandOption(
      name: "public-url",
      kind: .text,
      placeholder: "URL",
      help: "what phones reach this service by; stands before signed addresses",
      commands: serveOnly
    ) { (values, settings) in
      settings.service.publicURL = values.last.map { url in
        url.hasSuffix("/") ? String(url.dropLast()) : url
      }
    },
    CommandOption(
      name: "allow-origin",
      kind: .text,
      placeholder: "ORIGIN",
      isRepeatable: true,
      help: "let pages of this origin ask, as in https://console.example.com",
      commands: serveOnly
    ) { (values, settings) in
      settings.service.origins = values
    },
  ]

  private static let limits: [CommandOption] = [
    .size(
      "max-body",
      \.service.limits.body,
      within: ByteCount(1)...ByteCount.megabytes(10_000),
      "the most bytes of an upload",
      for: serveOnly
    ),
    .size(
      "max-batch",
      \.service.limits.batch,
      within: ByteCount(1)...ByteCount.megabytes(10_000),
      "the most bytes of a batch",
      for: serveOnly
    ),
    .count(
      "max-checks",
      \.service.limits.checks,
      within: 1...4_096,
      "checks at once",
      for: serveOnly
    ),
    .count(
      "max-queue",
      \.service.limits.queue,
      within: 0...100_000,
      "requests that wait for a check; more are answered 429",
      for: serveOnly
    ),
    .count(
      "max-jobs",
      \.service.limits.jobs,
      within: 0...100_000,
      "asynchronous jobs accepted and not finished; more are answered 429",
      for: serveOnly
    ),
    .count(
      "max-rate",
      \.service.limits.rate,
      within: 0...1_000_000,
      "requests a second of one token or address; 0 is no limit",
      for: serveOnly
    ),
    .count(
      "max-connections",
      \.service.limits.connections,
      within: 2...65_536,
      "connections at once",
      for: serveOnly
    ),
    .duration(
      "max-budget",
      \.service.limits.longestBudget,
      "the longest budget of a request, asked for or not",
      for: serveOnly
    ),
  ]

  private static let results: [CommandOption] = [
    .folder(
      "results",
      "keep reports, files and previews in DIR; without it in the user's state folder",
      for: serveOnly
    ) { $1.service.resultsFolder = $0 },
    .size(
      "results-bytes",
      \.service.resultsQuota,
      within: ByteCount(1)...ByteCount.megabytes(100_000_000),
      "the most bytes that results may take; what was used longest ago goes first",
      for: serveOnly
    ),
    .duration(
      "results-lifetime",
      \.service.lifetime,
      upTo: .seconds(90 * 86_400),
      "how long results can be asked for",
      for: serveOnly
    ),
    .flag(
      "no-content",
      \.keepsNoContent,
      "keep reports and previews, but not the files themselves",
      for: serveOnly
    ),
  ]

  private static let logging: [CommandOption] = [
    CommandOption(
      name: "log-level",
      kind: .text,
      placeholder: "LEVEL",
      choices: StructuredLog.Level.allCases.map(\.rawValue),
      defaultText: Settings().logLevel.rawValue,
      help: "write what matters at least so much: debug, info, warning or error",
      commands: serveOnly
    ) { (values, settings) throws(InvalidValue) in
      guard let name = values.last, let level = StructuredLog.Level(rawValue: name) else {
        throw InvalidValue(
          requirement: "must be one of debug, info, warning, error",
          value: values.last
        )
      }
      settings.logLevel = level
    }
  ]

  private static func text(of path: String) throws(InvalidValue) -> String {
    do throws(SmallFile.Unreadable) {
      return String(decoding: try SmallFile.read(path), as: UTF8.self)
    } catch {
      throw InvalidValue(requirement: error.reason, value: path)
    }
  }

  private static func text(
    of path: String,
    for value: String
  ) throws(ServiceError) -> String {
    do throws(SmallFile.Unreadable) {
      return String(decoding: try SmallFile.read(path), as: UTF8.self)
    } catch {
      throw ServiceError(.invalidConfiguration, "it \(error.reason)")
    }
  }
}
