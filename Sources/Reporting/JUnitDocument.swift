import FoundationEssentials
public import Pipeline
import PolicyChecking
import TimeBudgets

/// JUnit XML: a test case a source, failed where it is rejected, an error where it is unobtainable.
///
/// There is no standard; this is what Ant's formatter began and Jenkins, GitLab and their like
/// read: a suite with its totals, cases with a time, and `system-out` for what only warns.
public struct JUnitDocument: ReportDocument {
  /// A document.
  public init() {}

  /// The declaration, and the opening tags with the totals.
  public func head(_ summary: RunSummary) -> String {
    let totals = summary.totals
    let counts =
      "tests=\"\(totals.total)\" failures=\"\(totals.rejected)\" "
      + "errors=\"\(totals.unobtainable)\" time=\"\(MarkupText.seconds(summary.elapsed))\""
    // Readers disagree on time zones, so the time is UTC and does not say so.
    let timestamp = summary.start.formatted(.iso8601).dropLast()
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="affix" \(counts)>
        <testsuite name="affix" \(counts) skipped="0" timestamp="\(timestamp)">
          <properties>
            <property name="affix.version" value="\(MarkupText.escaped(summary.version))"/>
          </properties>

      """
  }

  /// One test case.
  public func piece(for report: AttachmentReport) -> String {
    let name = MarkupText.escaped(report.publicSource)
    let time = MarkupText.seconds(report.ledger.spent)
    let tag = "<testcase classname=\"affix\" name=\"\(name)\" time=\"\(time)\""
    let outcome = Self.outcome(of: report) + Self.warnings(of: report)
    return outcome.isEmpty ? "    \(tag)/>\n" : "    \(tag)>\n\(outcome)    </testcase>\n"
  }

  /// The closing tags.
  public func foot(_ summary: RunSummary) -> String {
    "  </testsuite>\n</testsuites>\n"
  }

  private static func outcome(of report: AttachmentReport) -> String {
    switch report.verdict {
    case .deliverable:
      return ""
    case .rejected:
      let violations = report.violations
      let type = violations.first?.code.rawValue ?? report.verdict.name
      let lines = violations.flatMap { violation in
        ["\(violation.code.rawValue): \(violation.message)"]
          + (violation.remedy.map { ["  -> \($0)"] } ?? [])
      }
      return element("failure", type, violations.first?.message ?? "", lines)
    case .unobtainable(let error):
      return element("error", error.code, error.message, ["\(error.code): \(error.message)"])
    }
  }

  private static func element(
    _ name: String,
    _ type: String,
    _ message: String,
    _ lines: [String]
  ) -> String {
    let text = lines.map(MarkupText.escaped).joined(separator: "\n")
    return "      <\(name) type=\"\(MarkupText.escaped(type))\" "
      + "message=\"\(MarkupText.escaped(message))\">\(text)</\(name)>\n"
  }

  private static func warnings(of report: AttachmentReport) -> String {
    let lines = report.warnings.map {
      MarkupText.escaped("warning \($0.code.rawValue): \($0.message)")
    }
    return lines.isEmpty
      ? "" : "      <system-out>\(lines.joined(separator: "\n"))</system-out>\n"
  }
}
