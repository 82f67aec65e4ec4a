import AttachmentModel
import FoundationEssentials
public import Pipeline
import PolicyChecking

/// SARIF 2.1.0: a result for each violation, warning and error, a rule for each code.
///
/// Source: OASIS, Static Analysis Results Interchange Format 2.1.0, and its JSON schema.
public struct SARIFDocument: ReportDocument {
  private static let schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

  /// A document.
  public init() {}

  /// A comma between results.
  public var separator: String { ",\n" }

  /// Everything up to the first result; the rules are all there are, found or not.
  public func head(_ summary: RunSummary) -> String {
    let driver = SARIFDriver(version: summary.version)
    return """
      {"$schema":"\(Self.schema)","version":"2.1.0","runs":[{"tool":{"driver":
      \(Self.json(driver))},"results":[

      """
  }

  /// The results of one source; nothing where there is nothing to say of it.
  public func piece(for report: AttachmentReport) -> String {
    let location = SARIFResult.Location(of: report.evidence.reference)
    var results = (report.violations + report.warnings).map { finding in
      let policies = report.policies.filter {
        ($0.findings.violations + $0.findings.warnings).contains { $0.code == finding.code }
      }
      return SARIFResult(finding, of: policies.map(\.policy), at: location)
    }
    if case .unobtainable(let error) = report.verdict {
      results.append(SARIFResult(error, at: location))
    }
    return results.map { separator + Self.json($0) }.joined()
  }

  /// When the run was, and the end.
  public func foot(_ summary: RunSummary) -> String {
    let (seconds, attoseconds) = summary.elapsed.components
    let elapsed = Double(seconds) + Double(attoseconds) / 1e18
    let end = (summary.start + elapsed).formatted(.iso8601)
    return """

      ],"invocations":[{"executionSuccessful":true,\
      "startTimeUtc":"\(summary.start.formatted(.iso8601))","endTimeUtc":"\(end)"}]}]}

      """
  }

  private static func json(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Strings and integers always encode.
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }
}

/// `tool.driver`: the name of the program, and a rule for each code that a report can carry.
private struct SARIFDriver: Encodable {
  struct Rule: Encodable {
    struct Configuration: Encodable {
      let level: String
    }

    let id: String
    let shortDescription: SARIFText
    let help: SARIFText
    let defaultConfiguration: Configuration

    init(_ entry: CodeTable.Entry) {
      id = entry.code
      shortDescription = SARIFText(entry.meaning)
      help = SARIFText(entry.meaning)
      defaultConfiguration = Configuration(level: entry.kind == .warning ? "warning" : "error")
    }
  }

  let name = "affix"
  let version: String
  let rules = SARIFResult.ruleEntries.map(Rule.init)
}

/// A message in plain text, in which braces and brackets have a meaning of their own.
struct SARIFText: Encodable {
  let text: String

  /// Escapes what would be read as a placeholder or a link (SARIF 2.1.0, 3.11.5 and 3.11.6).
  init(_ words: String) {
    var text = ""
    for character in words.printable {
      switch character {
      case "{": text += "{{"
      case "}": text += "}}"
      case "[", "]", "\\": text += "\\" + String(character)
      default: text.append(character)
      }
    }
    self.text = text
  }
}
