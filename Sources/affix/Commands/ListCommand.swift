import AttachmentModel
import FoundationEssentials
import HTTPService
import PolicyChecking
import Reporting

/// `affix list`: the tables that reports refer to.
struct ListCommand: Sendable {
  /// What can be listed.
  enum Topic: String, CaseIterable {
    case policies
    case codes
    case options
  }

  private struct OptionEntry: Encodable {
    let option: String
    let environment: String?
    let defaultValue: String?
    let meaning: String

    enum CodingKeys: String, CodingKey {
      case option
      case environment
      case defaultValue = "default"
      case meaning
    }
  }

  private struct PolicyEntry: Encodable {
    let policy: String
    let formats: [String]
    let largestSize: ByteCount
    let largestImage: ByteCount?
    let largestAudio: ByteCount?
    let largestMovie: ByteCount?

    init(_ policy: AttachmentPolicy) {
      self.policy = policy.name
      formats = policy.acceptedFormats.map(\.rawValue)
      largestSize = policy.largestSize
      func largest(_ kind: MediaKind) -> ByteCount? {
        let formats = policy.acceptedFormats.filter { $0.kind == kind }
        return formats.compactMap { policy.limits(for: $0)?.maxBytes }.max()
      }
      (largestImage, largestAudio, largestMovie) = (
        largest(.image), largest(.audio), largest(.movie)
      )
    }

    enum CodingKeys: String, CodingKey {
      case policy
      case formats
      case largestSize = "largest_size_bytes"
      case largestImage = "largest_image_bytes"
      case largestAudio = "largest_audio_bytes"
      case largestMovie = "largest_movie_bytes"
    }
  }

  let settings: Settings
  let operands: [String]

  /// Prints one table.
  func run() throws(UsageError) -> ExitStatus {
    let names = Topic.allCases.map(\.rawValue)
    guard let name = operands.first, operands.count == 1 else {
      throw UsageError("name one of " + names.joined(separator: ", "), command: .list)
    }
    guard let topic = Topic(rawValue: name) else {
      let hint = Suggestion.hint(for: name, among: names)
      throw UsageError(
        "there is no list '\(name.withoutSecrets)', only \(names.joined(separator: ", "))\(hint)",
        command: .list
      )
    }
    if let policy = settings.shownPolicy {
      guard topic == .policies else {
        throw UsageError("--show is for policies, not for \(name)", command: .list)
      }
      // The text ends in a line end of its own.
      return StandardOutput.print(String(decoding: policy.json.dropLast(), as: UTF8.self))
    }
    switch topic {
    case .policies: return printPolicies()
    case .codes: return printCodes()
    case .options: return printOptions()
    }
  }

  private func printPolicies() -> ExitStatus {
    let entries = AttachmentPolicy.builtInNames.compactMap(AttachmentPolicy.builtIn)
      .map(PolicyEntry.init)
    if settings.printsJSON { return printLines(entries) }
    let rows = entries.map { entry -> [String] in
      let sizes: [ByteCount?] = [entry.largestImage, entry.largestAudio, entry.largestMovie]
      return [entry.policy] + sizes.map { $0?.concise ?? "-" }
        + [entry.formats.joined(separator: " ")]
    }
    return printTable([["POLICY", "IMAGE", "AUDIO", "MOVIE", "FORMATS"]] + rows)
  }

  private func printCodes() -> ExitStatus {
    let entries = CodeTable.entries + HTTPService.codes
    if settings.printsJSON { return printLines(entries) }
    let rows = entries.map { [$0.kind.rawValue, $0.code, $0.meaning] }
    return printTable([["KIND", "CODE", "MEANING"]] + rows)
  }

  private func printOptions() -> ExitStatus {
    let serving = OptionTable.options(of: .serve).filter { !$0.commands.contains(.check) }
    let entries = (OptionTable.options(of: .check) + serving).map { option in
      OptionEntry(
        option: option.spelling,
        environment: option.reach == .commandLine ? nil : option.environmentName,
        defaultValue: option.defaultText,
        meaning: option.help + (option.isRepeatable ? "; repeatable" : "")
      )
    }
    if settings.printsJSON { return printLines(entries) }
    let rows = entries.map {
      [$0.option, $0.environment ?? "-", $0.defaultValue ?? "-", $0.meaning]
    }
    return printTable([["OPTION", "ENVIRONMENT", "DEFAULT", "MEANING"]] + rows)
  }

  private func printLines(_ entries: [some Encodable]) -> ExitStatus {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let lines = entries.compactMap { entry in
      (try? encoder.encode(entry)).map { String(decoding: $0, as: UTF8.self) }
    }
    return StandardOutput.print(lines.joined(separator: "\n"))
  }

  private func printTable(_ rows: [[String]]) -> ExitStatus {
    let columns = rows.first?.count ?? 0
    let widths = (0..<columns).map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { row in
      row.dropLast().enumerated().map { $1.padded(to: widths[$0]) + "  " }.joined()
        + (row.last ?? "")
    }
    return StandardOutput.print(lines.joined(separator: "\n"))
  }
}
