import Glibc
import TestSupport
import Testing

/// A run that is interrupted, killed, or out of space leaves nothing behind and loses no answer.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct InterruptionTests {
  private static let picture = Fixture("jpeg/valid/baseline.jpg").bytes

  private func environment(_ folder: TemporaryFolder) -> [String: String] {
    var environment = CommandRun.plainEnvironment
    environment["TMPDIR"] = folder.path
    return environment
  }

  private static let signals: [(CInt, CInt)] = [
    (SIGHUP, 129), (SIGINT, 130), (SIGQUIT, 131), (SIGTERM, 143),
  ]

  @Test(arguments: signals)
  func `a signal in the middle of 200 downloads ends the run within a second`(
    signal: CInt,
    status: CInt
  ) async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let folder = try TemporaryFolder()
    let long = Array(repeatElement(Self.picture, count: 20).joined())
    let urls = (0..<200).map { _ in
      origin.url(.dripping(bytesPerSecond: 2_000, of: long), named: "a.jpg")
    }
    let command = try RunningCommand(
      CommandRun.affix,
      [
        "check", "--json", "--allow-address", "127.0.0.1/32", "--concurrency", "200",
        "--per-host", "200",
      ] + urls,
      environment: environment(folder),
      // Beside other tests it may be long before the signal is sent; what counts is the time after.
      deadline: .seconds(60)
    )
    #expect(await origin.received(200, within: .seconds(30)))
    // The requests are out; the first bytes, and with them the files, come after.
    while folder.contents.count <= 100 { try await Task.sleep(for: .milliseconds(5)) }
    let clock = ContinuousClock()
    let start = clock.now
    command.send(signal)
    let run = await command.run()
    #expect(run.ending == .exited(status), "\(run.errorOutput)")
    #expect(clock.now - start < .seconds(1))
    #expect(folder.contents == [])
    #expect(await origin.becameIdle())
  }

  @Test(arguments: signals)
  func `a signal while pictures are decoded leaves nothing behind`(
    signal: CInt,
    status: CInt
  ) async throws {
    let folder = try TemporaryFolder()
    let pictures = try TemporaryFolder()
    let large = pictures.path(of: "large.png")
    let made = try await CommandRun.of(
      "/usr/bin/vips",
      ["black", large, "9900", "9900", "--bands", "3"]
    )
    try #require(made.ending == .exited(0), "\(made)")
    let command = try RunningCommand(
      CommandRun.affix,
      ["check", "--json", "--output", folder.path] + Array(repeating: large, count: 8),
      environment: environment(folder)
    )
    // The folder is there before the first picture is opened.
    while folder.contents.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    try await Task.sleep(for: .milliseconds(300))
    command.send(signal)
    let run = await command.run()
    #expect(run.ending == .exited(status), "\(run.errorOutput)")
    #expect(folder.contents == [])
    #expect(run.output == "")
  }

  @Test func `the summary of a run that was interrupted says so`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let folder = try TemporaryFolder()
    let command = try RunningCommand(
      CommandRun.affix,
      [
        "check", "--no-preview", "--allow-address", "127.0.0.1/32",
        origin.url(.body(Self.picture, type: "image/jpeg"), named: "a.jpg"),
        origin.url(.stalling(after: 1_000, of: Self.picture), named: "b.jpg"),
      ],
      environment: environment(folder)
    )
    #expect(await origin.received(2))
    try await Task.sleep(for: .milliseconds(300))
    command.send(SIGINT)
    let run = await command.run()
    #expect(run.ending == .exited(130))
    #expect(run.errorOutput.contains("interrupted, so what is not listed was not finished"))
  }

  @Test func `a terminal that goes may say so twice`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let folder = try TemporaryFolder()
    let slow = origin.url(.stalling(after: 1_000, of: Self.picture), named: "a.jpg")
    let command = try RunningCommand(
      CommandRun.affix,
      ["check", "--allow-address", "127.0.0.1/32", slow],
      environment: environment(folder)
    )
    #expect(await origin.received(1))
    command.send(SIGHUP)
    command.send(SIGHUP)
    let run = await command.run()
    #expect(run.ending == .exited(129), "\(run)")
    #expect(run.errorOutput.contains("0 sources"))
    #expect(folder.contents == [])
  }

  @Test func `a run that is to outlive its terminal does`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let folder = try TemporaryFolder()
    let slow = origin.url(
      .dripping(bytesPerSecond: 2_000, of: Self.picture),
      named: "a.jpg"
    )
    let command = try RunningCommand(
      "/bin/sh",
      [
        "-c", "trap '' HUP; exec \"$0\" check --allow-address 127.0.0.1/32 \"$1\"",
        CommandRun.affix, slow,
      ],
      environment: environment(folder)
    )
    #expect(await origin.received(1))
    command.send(SIGHUP)
    let run = await command.run()
    #expect(run.ending == .exited(0), "\(run)")
  }

  @Test func `a killed run is swept by the next start`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let folder = try TemporaryFolder()
    let slow = origin.url(.stalling(after: 1_000, of: Self.picture), named: "a.jpg")
    let command = try RunningCommand(
      CommandRun.affix,
      ["check", "--allow-address", "127.0.0.1/32", slow],
      environment: environment(folder)
    )
    #expect(await origin.received(1))
    command.send(SIGKILL)
    #expect(await command.run().ending == .signalled(SIGKILL))
    #expect(!folder.contents.isEmpty)
    let next = try await CommandRun.of(
      CommandRun.affix,
      ["check", Fixture("jpeg/valid/baseline.jpg").path],
      environment: environment(folder)
    )
    #expect(next.ending == .exited(0), "\(next.errorOutput)")
    #expect(folder.contents == [])
  }

  @Test func `a full disk fails the sources that need it, and no others`() async throws {
    let folder = try TemporaryFolder()
    guard mount("tmpfs", folder.path, "tmpfs", 0, "size=256k") == 0 else {
      // Mounting needs root; the same fault is then met by the unit tests of the directory alone.
      print(
        "skipped: a small file system cannot be mounted here: \(String(cString: strerror(errno)))"
      )
      return
    }
    defer { umount(folder.path) }
    let origin = try OriginServer()
    defer { origin.stop() }
    // No picture is this long: bytes behind the end do not change what is tested.
    let large = Self.picture + [UInt8](repeating: 0, count: 1_000_000)
    let small = Fixture("png/valid/rgb.png").bytes
    let urls = [
      origin.url(.body(large, type: "image/jpeg"), named: "large.jpg"),
      origin.url(.body(small, type: "image/png"), named: "small.png"),
    ]
    let run = try await CommandRun.of(
      CommandRun.affix,
      [
        "check", "--json", "--ordered", "--no-preview", "--concurrency", "1",
        "--allow-address", "127.0.0.1/32",
      ] + urls + [Fixture("gif/valid/still.gif").path],
      environment: environment(folder)
    )
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 3, "\(run)")
    #expect(lines.first?.contains("storage-full") ?? false, "\(run)")
    #expect(lines.dropFirst().allSatisfy { $0.contains("\"verdict\":\"deliverable\"") }, "\(run)")
    #expect(run.ending == .exited(2))
    #expect(folder.contents == [])
  }

  @Test func `a closed pipe is no error`() async throws {
    let fixture = Fixture("jpeg/valid/baseline.jpg").path
    let run = try await CommandRun.of(
      CommandRun.affix,
      ["check"] + Array(repeating: fixture, count: 50),
      output: .closedPipe
    )
    #expect(run.ending == .exited(0), "\(run)")
    #expect(!run.errorOutput.contains("affix:"))
  }
}
