import Foundation
import Glibc
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

  @Test(
    arguments: [
      "$ scripts/affix check fixtures/media/jpeg/valid/photo-1600x1200.jpg ",
      "$ scripts/affix check --json --preview-size 640 fixtures/",
      "$ scripts/affix check --repair --output mended fixtures/",
    ]
  )
  func `an example prints what is shown under it, but for the times`(start: String) async throws {
    let project = Fixture.projectFolder
    let readme = try String(contentsOfFile: "\(project)/README.md", encoding: .utf8)
    let lines = readme.split(separator: "\n")
    let command = try #require(lines.firstIndex { $0.hasPrefix(start) })
    let shown = lines[(command + 1)...].prefix { !$0.hasPrefix("$") && !$0.hasPrefix("```") }
    let folder = try TemporaryFolder()
    // In a folder of its own, since an example may leave something behind.
    symlink("\(project)/fixtures", folder.path(of: "fixtures"))
    let words = lines[command].dropFirst("$ scripts/affix ".count).prefix { $0 != "#" }
      .split(separator: " ").map(String.init)
    let run = try await CommandRun.of(CommandRun.affix, words, in: folder.path)
    let printed = (run.output + run.errorOutput).split(separator: "\n")
    func untimed(_ line: Substring) -> String {
      Self.withoutTimes(line).replacing(/"(spent_)?ms":[0-9.]+/, with: "MS")
    }
    #expect(printed.map(untimed) == shown.map(untimed), "\(run)")
  }

  @Test func `the unit for systemd names a manual that it says how to install`() async throws {
    let unit = try String(
      contentsOfFile: "\(Fixture.projectFolder)/scripts/affix.service",
      encoding: .utf8
    )
    let lines = unit.split(separator: "\n")
    let place = "/man/man1/affix.1"
    #expect(lines.contains("Documentation=man:affix(1)"))
    let step = try #require(lines.first { $0.hasSuffix(place) })
    let folder = try TemporaryFolder()
    let affix = try CommandRun.affix
    let command = step.drop { $0 == "#" || $0 == " " }
      .replacing("affix help", with: "\(affix) help")
      .replacing("/usr/local/share", with: folder.path)
    let run = try await CommandRun.of("/bin/sh", ["-c", String(command)])
    #expect(run.ending == .exited(0), "\(run)")
    let page = try String(contentsOfFile: folder.path + place, encoding: .utf8)
    #expect(page.hasPrefix(".TH AFFIX 1"))
  }

  @Test func `the examples of the manual page work`() async throws {
    let page = try await CommandRun.of(CommandRun.affix, ["help", "manual"]).output
    let start = try #require(page.firstRange(of: "\n.SH EXAMPLES\n")).upperBound
    let examples = page[start...].split(separator: "\n").prefix { !$0.hasPrefix(".SH") }
      .filter { $0.hasPrefix("affix ") }.map { $0.replacing(#"\-"#, with: "-") }
    #expect((3...5).contains(examples.count))
    let folder = try TemporaryFolder()
    let picture = "\(Fixture.projectFolder)/fixtures/media/jpeg/valid/photo-1600x1200.jpg"
    symlink(picture, folder.path(of: "photo.jpg"))
    symlink(try CommandRun.affix, folder.path(of: "affix"))
    try folder.write(Array("# a list\nphoto.jpg\n".utf8), to: "urls.txt")
    try folder.write(Array("backend \(String(repeating: "0", count: 32))\n".utf8), to: "tokens.txt")
    for example in examples {
      var command = example
      if example.hasPrefix("affix serve") {
        command =
          example.replacing(/[0-9.]+:[0-9]+/, with: "127.0.0.1:0") + " --results results 2>log & "
          + "until grep -q listening log; do kill -0 $! || exit 9; sleep 0.1; done; "
          + "kill $!; wait $!"
      }
      let run = try await CommandRun.of(
        "/bin/bash",
        ["-c", "PATH=.:$PATH; " + command],
        in: folder.path
      )
      #expect(run.ending == .exited(0), "\(example): \(run)")
    }
  }

  /// What the README shows in a language, asked of a service of this test's own.
  private func outcome(
    of language: String,
    by program: String,
    _ arguments: [String]
  ) async throws -> CommandRun {
    let project = Fixture.projectFolder
    let readme = try String(contentsOfFile: "\(project)/README.md", encoding: .utf8)
    let (results, temporary) = (try TemporaryFolder(), try TemporaryFolder())
    let served = try await ServedAffix(results: results, temporary: temporary)
    let blocks = readme.split(separator: "```").filter { $0.contains("127.0.0.1:8470") }
    let block = try #require(blocks.first { $0.hasPrefix("\(language)\n") })
    let text = block.dropFirst(language.count)
      .replacing("127.0.0.1:8470", with: "127.0.0.1:\(served.port)")
    let run = try await CommandRun.of(program, arguments + [String(text)], in: project)
    served.command.send(SIGTERM)
    #expect(await served.command.run().ending == .exited(0))
    return run
  }

  @Test func `the service answers curl as the example says`() async throws {
    let project = Fixture.projectFolder
    let readme = try String(contentsOfFile: "\(project)/README.md", encoding: .utf8)
    let lines = readme.split(separator: "\n")
    let start = try #require(lines.firstIndex { $0.hasPrefix("$ curl -s http://127.0.0.1:8470/") })
    let (results, temporary) = (try TemporaryFolder(), try TemporaryFolder())
    let served = try await ServedAffix(results: results, temporary: temporary)
    let command = lines[start...start + 1].joined(separator: "\n").dropFirst(2)
      .replacing("127.0.0.1:8470", with: "127.0.0.1:\(served.port)")
    let run = try await CommandRun.of("/bin/sh", ["-c", String(command)], in: project)
    func withoutChance(_ text: some StringProtocol) -> String {
      String(text).replacing(/[0-9a-z]{20}/, with: "ID").replacing(/"ms":[0-9.]+/, with: "MS")
        .replacing(/"spent_ms":[0-9.]+/, with: "SPENT")
    }
    #expect(withoutChance(run.output) == withoutChance(lines[start + 2]) + "\n", "\(run)")
    served.command.send(SIGTERM)
    #expect(await served.command.run().ending == .exited(0))
  }

  @Test func `the service answers Python as the example says`() async throws {
    let run = try await outcome(of: "python", by: "/usr/bin/python3", ["-c"])
    #expect(run.output == "rejected ['unsupported-type']\n", "\(run)")
  }

  @Test(.enabled(if: access("/usr/bin/node", X_OK) == 0))
  func `the service answers JavaScript as the example says`() async throws {
    let run = try await outcome(
      of: "javascript",
      by: "/usr/bin/node",
      ["--input-type=module", "-e"]
    )
    #expect(run.output == "200 unobtainable blocked-address\n", "\(run)")
  }

  @Test func `every metric is in the table`() async throws {
    let readme = try String(
      contentsOfFile: "\(Fixture.projectFolder)/README.md",
      encoding: .utf8
    )
    let (results, temporary) = (try TemporaryFolder(), try TemporaryFolder())
    let served = try await ServedAffix(results: results, temporary: temporary)
    let lines = await served.client.ask("GET", "/metrics").text.split(separator: "\n")
    let names = lines.filter { $0.hasPrefix("# TYPE ") }.map { $0.split(separator: " ")[2] }
    #expect(names.count > 30)
    #expect(names.filter { !readme.contains("`\($0)`") } == [])
    served.command.send(SIGTERM)
    #expect(await served.command.run().ending == .exited(0))
  }

  private static func withoutTimes(_ line: Substring) -> String {
    String(line.replacing(/[ ]+[0-9.]+ m?s/, with: " TIME"))
  }
}
