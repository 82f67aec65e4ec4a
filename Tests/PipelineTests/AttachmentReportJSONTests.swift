import AttachmentModel
import Foundation
import Pipeline
import TestSupport
import Testing
import TimeBudgets

@Suite(.timeLimit(.minutes(1)))
struct AttachmentReportJSONTests {
  private func fields(_ report: AttachmentReport) throws -> [String: Any] {
    let line = report.jsonLine()
    #expect(!line.contains(10))
    return try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
  }

  private func report(source: String, message: String = "") -> AttachmentReport {
    AttachmentReport(
      unobtainable: source,
      because: CheckError(code: "invalid-url", message: message),
      allowance: .seconds(30)
    )
  }

  @Test(arguments: [
    "plain", "\"quoted\"", "back\\slash", "tab\tline\nreturn\r", "nul\u{0}bell\u{7}", "\u{7f}",
    "\u{fc}\u{20ac}\u{1f600}", "\u{2028}\u{2029}", "", "</script>",
  ])
  func `every text comes back as it was`(text: String) throws {
    let fields = try fields(report(source: text, message: text))
    #expect(fields["source"] as? String == text)
    #expect((fields["error"] as? [String: Any])?["message"] as? String == text)
  }

  @Test(
    arguments: [
      (.zero, "0"), (.nanoseconds(499), "0"), (.nanoseconds(500), "0.001"),
      (.microseconds(1_500), "1.5"), (.microseconds(12_345), "12.345"),
      (.microseconds(10_010), "10.01"),
      (.seconds(30), "30000"), (.seconds(3_600), "3600000"),
    ] as [(Duration, String)]
  )
  func `times have three decimals at most`(duration: Duration, text: String) {
    var report = report(source: "a")
    report.ledger = BudgetLedger(allowance: duration)
    let line = String(decoding: report.jsonLine(), as: UTF8.self)
    #expect(line.contains("\"allowance_ms\":\(text),"))
  }

  @Test func `what is not known is absent`() throws {
    let fields = try fields(report(source: "a"))
    #expect(Set(fields.keys) == ["source", "verdict", "error", "budget"])
  }
}
