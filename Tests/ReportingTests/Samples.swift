import AttachmentModel
import Foundation
import Pipeline
import PolicyChecking
import Reporting
import TimeBudgets

/// Reports written by hand.
enum Samples {
  /// Everything that a name or an answer may hold to get out of its place.
  static let hostile =
    "]]></failure><script>alert('1')</script>\"&amp;\u{0}\u{1B}[2J\u{202E}\u{FFFE}\u{85}\n{0}[a](b)\\"

  static let summary = RunSummary(
    totals: totals([deliverable(), rejected(), unobtainable()]),
    start: Date(timeIntervalSince1970: 1_700_000_000),
    elapsed: .milliseconds(1_234),
    version: "1.2.3"
  )

  static func totals(_ reports: [AttachmentReport]) -> ReportTotals {
    reports.reduce(into: ReportTotals()) { $0.count($1.verdict) }
  }

  /// A picture with a thumbnail and a warning.
  static func deliverable(_ source: String = "media/a.jpg") -> AttachmentReport {
    var report = report(source, .deliverable)
    var inspection = MediaInspection(format: .jpeg, size: ByteCount(122_000))
    inspection.width = 1_600
    inspection.height = 1_200
    report.evidence.inspection = inspection
    let warning = PolicyViolation(.animated, "an animation", actual: .number(3))
    report.policies = [.init(policy: "push", findings: PolicyFindings(warnings: [warning]))]
    report.thumbnail = Preview(
      format: .jpeg,
      bytes: [0xFF, 0xD8, 0xFF],
      width: 256,
      height: 192,
      quality: 85,
      encodes: 1
    )
    return report
  }

  /// Refused by one of two policies, for two reasons.
  static func rejected(
    _ source: String = "https://user:secret@media.example/b.webp?token=secret#secret",
    message: String = "content is a WebP, which push does not accept"
  ) -> AttachmentReport {
    var report = report(source, .rejected)
    let violations = [
      PolicyViolation(
        .unsupportedType,
        message,
        limit: .text("jpeg"),
        actual: .text("webp"),
        unError: 101,
        remedy: "send a preview instead"
      ),
      PolicyViolation(.truncated, "the file ends early", unError: 105),
    ]
    report.policies = [
      .init(policy: "push", findings: PolicyFindings(violations: violations)),
      .init(policy: "web-push", findings: PolicyFindings()),
    ]
    return report
  }

  /// Never obtained.
  static func unobtainable(
    _ source: String = "c.mp4",
    message: String = "the file cannot be opened"
  ) -> AttachmentReport {
    report(source, .unobtainable(CheckError(code: "unreadable", message: message)))
  }

  static let hostileReports = [
    deliverable(hostile), rejected(hostile, message: hostile),
    rejected("https://media.example/" + hostile), unobtainable(hostile, message: hostile),
  ]

  private static func report(_ source: String, _ verdict: Verdict) -> AttachmentReport {
    var report = AttachmentReport(
      unobtainable: source,
      because: CheckError(code: "unreadable", message: ""),
      allowance: .seconds(30)
    )
    report.verdict = verdict
    report.ledger.record(.milliseconds(20), for: .queue)
    report.ledger.record(.milliseconds(103), for: .decode)
    report.ledger.record(.microseconds(499), for: .judge)
    return report
  }
}
