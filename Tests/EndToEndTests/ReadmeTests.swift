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

  @Test func `the example in Swift is the one that is compiled`() throws {
    let project = Fixture.projectFolder
    let readme = try String(contentsOfFile: "\(project)/README.md", encoding: .utf8)
    let example = try String(
      contentsOfFile: "\(project)/Tests/PipelineTests/EmbeddingExample.swift",
      encoding: .utf8
    )
    #expect(readme.contains("```swift\n\(example)```"))
  }

  @Test func `the table of a check is what the command prints, but for the times`() async throws {
    let project = Fixture.projectFolder
    let readme = try String(contentsOfFile: "\(project)/README.md", encoding: .utf8)
    let run = try await CommandRun.of(
      CommandRun.affix,
      [
        "check", "--ordered", "fixtures/media/jpeg/valid/photo-1600x1200.jpg",
        "fixtures/media/html/mislabelled/html-named.png",
        "fixtures/media/mp4-video/damaged/cut-half.mp4",
      ],
      in: project
    )
    let lines = (run.output + run.errorOutput).split(separator: "\n").map(Self.withoutTimes)
    #expect(lines.count == 9)
    let shown = Set(readme.split(separator: "\n").map(Self.withoutTimes))
    #expect(lines.filter { !shown.contains($0) } == [])
  }

  private static func withoutTimes(_ line: Substring) -> String {
    String(line.replacing(/[ ]+[0-9.]+ m?s/, with: " TIME"))
  }
}
