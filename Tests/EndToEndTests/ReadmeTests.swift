import Foundation
import TestSupport
import Testing

/// The README says what is true today.
@Suite(.timeLimit(.minutes(1)))
struct ReadmeTests {
  private struct Option: Decodable {
    let option: String
    let environment: String
    let `default`: String?
    let meaning: String

    var row: String {
      "| `\(option)` | `\(environment)` | \(self.default ?? "") | \(meaning) |"
    }
  }

  @Test func `the table of options is the command's own`() async throws {
    let readme = try String(
      contentsOfFile: "\(Fixture.projectFolder)/README.md",
      encoding: .utf8
    )
    let run = try await CommandRun.of(CommandRun.affix, ["list", "options", "--json"])
    let options = try run.output.split(separator: "\n").map {
      try JSONDecoder().decode(Option.self, from: Data($0.utf8))
    }
    #expect(options.count > 20)
    let rows = readme.split(separator: "\n").filter { $0.hasPrefix("| `--") }.map(String.init)
    #expect(rows == options.map(\.row))
  }
}
