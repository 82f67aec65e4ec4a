import Foundation
import TestSupport

/// What `affix check --json` answered for one source, and how the command ended.
struct CheckAnswer: CustomStringConvertible {
  let run: CommandRun
  /// What was left in the temporary folder afterwards.
  let leftovers: [String]
  /// One object a source, in the order of output.
  let reports: [[String: Any]]

  /// Runs `affix check --json` with a temporary folder of its own, here or in another network.
  static func of(
    _ arguments: [String],
    input: CommandRun.Input = .nothing,
    through entrance: [String] = [],
    deadline: Duration = .seconds(20)
  ) async throws -> CheckAnswer {
    let temporary = try TemporaryFolder()
    var environment = CommandRun.plainEnvironment
    environment["TMPDIR"] = temporary.path
    let words = try entrance + [CommandRun.affix, "check", "--json"] + arguments
    let run = try await CommandRun.of(
      words[0],
      Array(words.dropFirst()),
      environment: environment,
      input: input,
      deadline: deadline
    )
    let reports = run.output.split(separator: "\n").compactMap { line in
      try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    }
    return CheckAnswer(run: run, leftovers: temporary.contents, reports: reports)
  }

  /// The only report, where there is one.
  var report: [String: Any] {
    reports.count == 1 ? reports[0] : [:]
  }

  /// `deliverable`, `rejected` or `unobtainable`.
  var verdict: String {
    report["verdict"] as? String ?? "none"
  }

  /// The codes of the violations, or of the error.
  var codes: [String] {
    if let error = report["error"] as? [String: Any] { return [error["code"] as? String ?? "none"] }
    let violations = report["violations"] as? [[String: Any]] ?? []
    return violations.compactMap { $0["code"] as? String }
  }

  /// The codes of the warnings.
  var warnings: [String] {
    (report["warnings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
  }

  /// A part of the report.
  func part(_ name: String) -> [String: Any] {
    report[name] as? [String: Any] ?? [:]
  }

  /// The answer, for a failed expectation.
  var description: String {
    "\(run.ending) \(run.output)\(run.errorOutput)"
  }
}
