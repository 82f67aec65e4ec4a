import Foundation
import TestSupport
import Testing

/// What the README shows of a talk with the service is what the service says.
@Suite(.timeLimit(.minutes(1)))
struct ReadmeSessionTests {
  /// A command as somebody types it, and what it prints.
  private struct Step {
    var command: String
    var output: String
  }

  /// The commands of the README's console block that has these words.
  private static func steps(of words: String) throws -> [Step] {
    let readme = try String(
      contentsOfFile: "\(Fixture.projectFolder)/README.md",
      encoding: .utf8
    )
    let blocks = readme.split(separator: "```").filter { $0.hasPrefix("console\n") }
    let block = try #require(blocks.first { $0.contains(words) })
    var steps: [Step] = []
    for line in block.split(separator: "\n").dropFirst() {
      let command = steps.last?.command ?? ""
      let isOpen =
        command.hasSuffix("\\") || command.contains("<<'END'") && !command.hasSuffix("\nEND")
      if line.hasPrefix("$ ") {
        steps.append(Step(command: String(line.dropFirst(2)), output: ""))
      } else if isOpen {
        steps[steps.count - 1].command += "\n\(line)"
      } else {
        steps[steps.count - 1].output += "\(line)\n"
      }
    }
    return steps
  }

  /// The lines in any order, without what is another one each time.
  private static func withoutChance(_ text: String) -> [String] {
    text.replacing(/[0-9a-z]{20}/, with: "ID").replacing(/ms":[0-9.]+/, with: "MS")
      .replacing(/"entries":\[[^\]]*\]/, with: "ENTRIES")
      .split(separator: "\n").map(String.init).sorted()
  }

  @Test(arguments: ["Prefer: respond-async", "/v1/batches"])
  func `jobs and batches are answered as the examples say`(words: String) async throws {
    let steps = try Self.steps(of: words)
    let (results, temporary) = (try TemporaryFolder(), try TemporaryFolder())
    let served = try await ServedAffix(results: results, temporary: temporary)
    func run(_ command: String) async throws -> String {
      try await CommandRun.of("/bin/sh", ["-c", command], in: Fixture.projectFolder).output
    }
    func job(_ text: String) -> String {
      (text.firstMatch(of: /"id":"([0-9a-z]{20})"/)?.1).map(String.init) ?? "none"
    }
    let shown = job(steps.first?.output ?? "")
    var made = shown
    for (number, step) in steps.enumerated() {
      let command = step.command.replacing("127.0.0.1:8470", with: "127.0.0.1:\(served.port)")
        .replacing(shown, with: made)
      var output = try await run(command)
      if number == 0 { made = job(output) }
      // Who asks again comes to see the end.
      while number > 0, output.hasSuffix("\n202\n") { output = try await run(command) }
      #expect(Self.withoutChance(output) == Self.withoutChance(step.output), "\(output)")
    }
    #expect(steps.count == (words == "/v1/batches" ? 1 : 3))
    served.command.send(SIGTERM)
    #expect(await served.command.run().ending == .exited(0))
  }
}
