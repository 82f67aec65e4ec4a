import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CommandRunTests {
  private func shell(
    _ script: String,
    environment: [String: String] = CommandRun.plainEnvironment,
    in folder: String? = nil,
    input: CommandRun.Input = .nothing,
    output: CommandRun.Output = .captured,
    deadline: Duration = .seconds(20)
  ) async throws(OriginError) -> CommandRun {
    try await CommandRun.of(
      "/bin/sh",
      ["-c", script],
      environment: environment,
      in: folder,
      input: input,
      output: output,
      deadline: deadline
    )
  }

  @Test func `status and both outputs are kept apart`() async throws {
    let run = try await shell("echo out; echo err >&2; exit 7")
    #expect(run.ending == .exited(7))
    #expect(run.output == "out\n")
    #expect(run.errorOutput == "err\n")
    #expect(run.elapsed > .zero)
    #expect(!run.missedDeadline)
  }

  @Test func `a command sees only the environment that it is given`() async throws {
    let run = try await CommandRun.of("/usr/bin/env", environment: ["A": "b c"])
    #expect(run.output == "A=b c\n")
  }

  @Test func `a command runs in the folder that it is given`() async throws {
    let folder = try TemporaryFolder()
    let run = try await shell("pwd; touch here", in: folder.path)
    #expect(run.output == folder.path + "\n")
    #expect(folder.contents == ["here"])
  }

  @Test(arguments: [0, 10, 65_536, 65_537, 1_000_000])
  func `input arrives whole`(count: Int) async throws {
    let bytes = [UInt8](repeating: 65, count: count)
    let run = try await CommandRun.of("/bin/cat", input: .bytes(bytes))
    #expect(run.ending == .exited(0))
    #expect(run.outputBytes == bytes)
  }

  @Test func `a command that reads no input does no harm`() async throws {
    let run = try await shell("exit 0", input: .bytes([UInt8](repeating: 65, count: 60_000)))
    #expect(run.ending == .exited(0))
  }

  @Test func `a command is killed with its children when its time is over`() async throws {
    let run = try await shell("sleep 30 & sleep 30", deadline: .milliseconds(50))
    #expect(run.ending == .signalled(SIGKILL))
    #expect(run.missedDeadline)
    #expect(run.elapsed < .seconds(5))
  }

  @Test func `a running command can be sent a signal`() async throws {
    let command = try RunningCommand(
      "/bin/sh",
      ["-c", "trap 'echo caught; exit 3' TERM; echo ready; while :; do sleep 0.01; done"]
    )
    #expect(await command.said("ready"))
    command.send(SIGTERM)
    let run = await command.run()
    #expect(run.ending == .exited(3))
    #expect(run.output == "ready\ncaught\n")
    command.send(SIGTERM)
  }

  @Test func `a command that is let go is killed`() async throws {
    var identity: pid_t = 0
    do {
      let command = try RunningCommand("/bin/sleep", ["30"])
      identity = command.processID
    }
    // The process is collected by its own thread, a moment after it was killed.
    for _ in 0..<1_000 where kill(identity, 0) == 0 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(kill(identity, 0) != 0)
  }

  @Test func `a closed pipe is felt by a command that prints`() async throws {
    let run = try await CommandRun.of("/usr/bin/yes", output: .closedPipe)
    #expect(run.ending == .signalled(SIGPIPE))
  }

  @Test func `a command has no descriptors but the first three`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    // The fourth is that of the listing itself.
    let run = try await CommandRun.of("/bin/ls", ["/proc/self/fd"])
    #expect(run.output == "0\n1\n2\n3\n")
  }

  @Test func `what is no program is an error that names it`() async throws {
    await #expect(throws: OriginError.self) { try await CommandRun.of("/nowhere/at-all") }
  }

  @Test func `the built command is found`() async throws {
    let path = try CommandRun.affix
    #expect(path.hasSuffix("/affix"))
    #expect(access(path, X_OK) == 0)
  }
}
