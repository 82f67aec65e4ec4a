import Foundation
import TestSupport
import Testing

/// Every fixture gets the verdict that its line in `fixtures/expectations.tsv` states.
@Suite(.timeLimit(.minutes(2)))
struct FixtureVerdictTests {
  struct Expectation: Sendable {
    let path: String
    let verdict: String
    let format: String
    let violations: [String]
    let warnings: [String]

    /// Reads one line: path, verdict, format, violations, warnings, notes.
    init?(_ line: Substring) {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count >= 5, fields[0] != "path" else { return nil }
      path = fields[0]
      verdict = fields[1]
      format = fields[2]
      violations = fields[3].split(separator: ",").map(String.init)
      warnings = fields[4].split(separator: ",").map(String.init)
    }
  }

  private static func expectations() throws -> [Expectation] {
    let path = "\(Fixture.projectFolder)/fixtures/expectations.tsv"
    let table = try String(contentsOfFile: path, encoding: .utf8)
    return table.split(separator: "\n").compactMap(Expectation.init)
  }

  @Test func `every fixture is judged as expected`() async throws {
    let expectations = try Self.expectations()
    #expect(expectations.count > 100)
    let paths = expectations.map { Fixture($0.path).path }
    let answer = try await CheckAnswer.of(["--ordered"] + paths, deadline: .seconds(60))
    #expect(answer.reports.count == paths.count, "\(answer.run.errorOutput)")
    #expect(answer.leftovers == [])
    for (expectation, report) in zip(expectations, answer.reports) {
      let one = CheckAnswer(run: answer.run, leftovers: [], reports: [report])
      let found = "\(expectation.path): \(one.verdict) \(one.codes) warnings \(one.warnings)"
      #expect(one.verdict == expectation.verdict, "\(found)")
      #expect(Set(expectation.violations).isSubset(of: one.codes), "\(found)")
      #expect(Set(expectation.warnings).isSubset(of: one.warnings), "\(found)")
      let format = one.part("media")["format"] as? String
      // A dash: after such damage several names are right.
      guard expectation.format != "-" else { continue }
      #expect(format == expectation.format, "\(expectation.path): \(format ?? "none")")
    }
  }
}
