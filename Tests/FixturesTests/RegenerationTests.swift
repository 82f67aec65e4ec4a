import Foundation
import TestSupport
import Testing

// Encoding takes some 10 s on an idle core, and whatever else is tested meanwhile slows it down.
@Suite(.timeLimit(.minutes(3)))
struct RegenerationTests {
  let committed = FixtureFolder.committed

  @Test func `made anew, every file has the committed bytes`() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("affix-fixtures-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let run = try await Generator.run(into: folder)
    try #require(run.status == 0, "fixtures/generate: \(run.errors)")
    let fresh = FixtureFolder(url: folder)

    let paths = try committed.mediaPaths()
    try #require(fresh.mediaPaths() == paths)
    for table in ["README.md", "expectations.tsv", "provenance.tsv"] {
      try #expect(fresh.content(of: table) == committed.content(of: table), "\(table) differs")
    }

    let strangers = try strangeTools(in: fresh)
    let exempt = try filesMade(by: strangers)
    for path in paths where !exempt.contains(path) {
      try #expect(
        fresh.content(of: "media/\(path)") == committed.content(of: "media/\(path)"),
        "\(path) differs"
      )
    }
    if !strangers.isEmpty {
      print(
        "fixtures: other versions of \(strangers.sorted().joined(separator: ", ")) than in",
        "fixtures/toolchain.txt: \(exempt.count) of \(paths.count) files were compared",
        "only by their existence"
      )
    }
  }

  @Test func `all files together have at most 3 MB`() throws {
    let total = try committed.mediaPaths()
      .reduce(0) { try $0 + committed.content(of: "media/\($1)").count }
    #expect(total <= 3_000_000)
  }

  @Test(arguments: ["expectations.tsv", "provenance.tsv"])
  func `a table names exactly the files that are there`(table: String) throws {
    try #expect(committed.table(table).map(\.first) == committed.mediaPaths())
  }

  @Test func `an expectation's verdict agrees with its violations`() throws {
    for row in try committed.table("expectations.tsv") {
      try #require(row.count == 6, "\(row)")
      #expect(["deliverable", "rejected"].contains(row[1]), "\(row[0])")
      #expect(row[1] == "rejected" || row[3].isEmpty, "\(row[0])")
      #expect(row[2] == "-" || row[0].hasPrefix(row[2] + "/"), "\(row[0])")
    }
  }

  @Test func `a missing tool is named with its package`() async throws {
    let run = try await Generator.run(
      into: FileManager.default.temporaryDirectory.appendingPathComponent("affix-not-made"),
      searchPath: "/nonexistent"
    )
    #expect(run.status == 69)
    #expect(run.errors.contains("ffmpeg is missing: install the Debian package ffmpeg"))
    #expect(run.errors.contains("vips is missing: install the Debian package libvips-tools"))
  }

  /// The tools whose versions here are not those that the committed files were made with.
  private func strangeTools(in fresh: FixtureFolder) throws -> Set<String> {
    let recorded = Set(try committed.table("toolchain.txt", hasHeading: false))
    let present = Set(try fresh.table("toolchain.txt", hasHeading: false))
    return Set(recorded.symmetricDifference(present).compactMap(\.first))
  }

  /// The files that any of these tools had a hand in.
  private func filesMade(by tools: Set<String>) throws -> Set<String> {
    Set(
      try committed.table("provenance.tsv")
        .filter { !tools.isDisjoint(with: $0[1].split(separator: ",").map(String.init)) }
        .map { $0[0] }
    )
  }
}
