import TestSupport
import Testing

/// What people read: rows in line, and whose finding it is.
@Suite(.timeLimit(.minutes(1)))
struct ReportTableTests {
  private static func check(_ arguments: [String]) async throws -> [Substring] {
    let run = try await CommandRun.of(
      CommandRun.affix,
      ["check", "--ordered"] + arguments,
      in: Fixture.projectFolder
    )
    return run.output.split(separator: "\n")
  }

  @Test func `every source begins in the same column`() async throws {
    let sources = [
      "jpeg/valid/photo-1600x1200.jpg", "html/mislabelled/html-named.png",
      "png/damaged/no-idat.png", "mp4-video/damaged/cut-half.mp4",
    ].map { "fixtures/media/\($0)" }
    let lines = try await Self.check(sources + ["nosuch"])
    let header = try #require(lines.first?.firstRange(of: "SOURCE"))
    let column = try #require(lines.first).distance(
      from: try #require(lines.first).startIndex,
      to: header.lowerBound
    )
    for source in sources + ["nosuch"] {
      let row = try #require(lines.first { $0.hasSuffix(source) })
      #expect(row.count - source.count == column)
    }
  }

  @Test func `what has no picture lacks no preview`() async throws {
    let lines = try await Self.check(["fixtures/media/html/mislabelled/html-named.png"])
    #expect(lines.dropFirst().first?.contains("undecodable") == false)
  }

  @Test func `a preview that cannot be had is explained`() async throws {
    let picture = "fixtures/media/jpeg/valid/photo-1600x1200.jpg"
    let lines = try await Self.check(["--preview-bytes", "100", picture])
    #expect(
      lines.contains { $0.hasPrefix("  preview: none; cannot-fit: ") && $0.contains("100 bytes") }
    )
  }

  @Test func `several policies are named at what each of them finds`() async throws {
    let picture = "fixtures/media/jpeg/valid/photo-1600x1200.jpg"
    let lines = try await Self.check(["--policy", "apple", "--policy", "honor", picture])
    #expect(lines.contains { $0.hasPrefix("  honor: too-large: ") })
    #expect(!lines.contains { $0.contains("apple:") })
    let alone = try await Self.check(["--policy", "honor", picture])
    #expect(alone.contains { $0.hasPrefix("  too-large: ") })
  }

  @Test func `a missing file may have been meant as an address`() async throws {
    let lines = try await Self.check(["www.example.com/a.png"])
    #expect(lines.contains { $0.contains("no such file") && $0.contains("https://") })
  }
}
