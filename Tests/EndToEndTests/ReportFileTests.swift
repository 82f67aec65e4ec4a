import Glibc
import TestSupport
import Testing

/// `affix check --report FORMAT --report-file FILE`.
@Suite(.timeLimit(.minutes(1)))
struct ReportFileTests {
  private static let sources = [
    Fixture("jpeg/valid/photo-1600x1200.jpg").path, Fixture("webp/valid/still.webp").path,
    "/nonexistent.jpg",
  ]

  private func check(_ arguments: [String], folder: TemporaryFolder) async throws -> CommandRun {
    try await CommandRun.of(
      CommandRun.affix,
      ["check", "--json", "--ordered"] + arguments + Self.sources,
      in: folder.path
    )
  }

  @Test(
    arguments: [
      ("junit", ["<testsuites name=\"affix\" tests=\"3\" failures=\"1\" errors=\"1\""]),
      ("sarif", ["\"ruleId\":\"unsupported-type\"", "\"ruleId\":\"unreadable\""]),
      ("html", ["data:image/jpeg;base64,", "<article class=\"unobtainable\">"]),
    ]
  )
  func `a report stands beside the normal output`(format: String, parts: [String]) async throws {
    let folder = try TemporaryFolder()
    let run = try await check(["--report", format, "--report-file", "out/r"], folder: folder)
    #expect(run.ending == .exited(64), "there is no folder yet")
    try folder.write([0x6F, 0x6C, 0x64], to: "out/r")
    let written = try await check(["--report", format, "--report-file", "out/r"], folder: folder)
    #expect(written.ending == .exited(2), "\(written.errorOutput)")
    #expect(folder.contents == ["out/", "out/r"])
    let report = String(decoding: folder.read("out/r") ?? [], as: UTF8.self)
    #expect(parts.filter { !report.contains($0) } == [])
    let lines = written.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(!written.output.contains("\"previews\""))
    let places = Self.sources.compactMap { report.firstRange(of: $0)?.lowerBound }
    #expect(places == places.sorted())
  }

  @Test(
    arguments: [
      (["--report", "junit"], "--report-file FILE"),
      (["--report-file", "r.xml"], "--report junit"),
      (["--report", "jnit", "--report-file", "r.xml"], "did you mean 'junit'?"),
      (["--report", "junit", "--report-file", "-"], "must name a file"),
      (["--report", "junit", "--report-file", "/"], "a folder"),
    ]
  )
  func `half of a request is refused`(arguments: [String], words: String) async throws {
    let folder = try TemporaryFolder()
    let run = try await check(arguments, folder: folder)
    #expect(run.ending == .exited(64))
    #expect(run.errorOutput.contains(words), "\(run.errorOutput)")
    #expect(run.output.isEmpty)
    #expect(folder.contents == [])
  }

  @Test func `a report that cannot be written is a fault, and no result is lost`() async throws {
    let folder = try TemporaryFolder()
    let run = try await check(["--report", "junit", "--report-file", "/dev/full"], folder: folder)
    #expect(run.ending == .exited(70))
    #expect(run.errorOutput.contains("No space left on device"))
    #expect(run.output.split(separator: "\n").count == 3)
  }

  @Test func `a run that ended early because its reader left has no report, and says so`()
    async throws
  {
    let folder = try TemporaryFolder()
    let run = try await CommandRun.of(
      CommandRun.affix,
      ["check", "--report", "sarif", "--report-file", "r.sarif"] + Self.sources,
      in: folder.path,
      output: .closedPipe
    )
    #expect(run.errorOutput.contains("affix: no report is written"), "\(run)")
    #expect(folder.contents == [])
  }

  @Test(arguments: [SIGTERM, SIGKILL])
  func `an interrupted run leaves the old file and nothing else`(signal: CInt) async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let folder = try TemporaryFolder()
    try folder.write([0x6F, 0x6C, 0x64], to: "r.html")
    let command = try RunningCommand(
      CommandRun.affix,
      [
        "check", "--allow-address", "127.0.0.1/32", "--report", "html", "--report-file", "r.html",
        Self.sources[0], origin.url(.silent, named: "a.jpg"),
      ],
      in: folder.path
    )
    #expect(await origin.received(1))
    command.send(signal)
    let run = await command.run()
    #expect(run.ending == (signal == SIGKILL ? .signalled(SIGKILL) : .exited(143)))
    #expect(folder.contents == ["r.html"])
    #expect(folder.read("r.html") == [0x6F, 0x6C, 0x64])
  }
}
