import Glibc
import Testing

/// How the command behaves towards signals, pipes and terminals.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct ProcessTests {
  private static let unusable = "x\u{0}\n"

  /// Starts a run that has printed one report and waits for more input.
  private func withWaitingRun(
    _ arguments: [String] = ["check", "--json", "-"],
    _ body: (Spawn, _ input: CInt) throws -> Void
  ) throws {
    let input = try Spawn.pipe()
    let output = try Spawn.pipe()
    let errors = try Spawn.temporaryFile()
    defer {
      for end in [input.read, input.write, output.read, output.write, errors] { close(end) }
    }
    let spawn = try Spawn(arguments, input: input.read, output: output.write, errors: errors)
    Spawn.write(Self.unusable, to: input.write)
    #expect(Spawn.read(output.read, until: "\n").contains("invalid-url"))
    try body(spawn, input.write)
  }

  @Test(arguments: [(SIGHUP, 129), (SIGINT, 130), (SIGTERM, 143)] as [(CInt, Int32)])
  func `a signal ends a run with its status`(signal: CInt, status: Int32) throws {
    try withWaitingRun { spawn, _ in
      let start = ContinuousClock.now
      kill(spawn.process, signal)
      #expect(spawn.wait() == .exited(status))
      #expect(ContinuousClock.now - start < .seconds(5))
    }
  }

  @Test func `results come while more input is awaited`() throws {
    try withWaitingRun { spawn, input in
      Spawn.write(Self.unusable, to: input)
      kill(spawn.process, SIGTERM)
      #expect(spawn.wait() == .exited(143))
    }
  }

  @Test func `a reader that goes away is no error`() throws {
    let output = try Spawn.pipe()
    close(output.read)
    let input = try Spawn.temporaryFile(String(repeating: Self.unusable, count: 1_000))
    let errors = try Spawn.temporaryFile()
    defer { for end in [output.write, input, errors] { close(end) } }
    let spawn = try Spawn(
      ["check", "--json", "-"],
      input: input,
      output: output.write,
      errors: errors
    )
    #expect(spawn.wait() == .exited(2))
    #expect(lseek(errors, 0, SEEK_END) == 0)
  }

  @Test func `a full disk is a fault that is told`() throws {
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    let input = try Spawn.temporaryFile(Self.unusable)
    let errors = try Spawn.pipe()
    defer { for end in [full, input, errors.read] { close(end) } }
    let spawn = try Spawn(
      ["check", "--json", "-"],
      input: input,
      output: full,
      errors: errors.write
    )
    close(errors.write)
    #expect(Spawn.read(errors.read, until: "\n").contains("No space left on device"))
    #expect(spawn.wait() == .exited(70))
  }

  @Test(arguments: [(4, 1), (7, 4), (13, 10), (30, 27)], [["--version"], ["check", "-"]])
  func `a system that lets hardly any file be opened is named`(
    files: (limit: Int, left: Int),
    arguments: [String]
  ) throws {
    let outcome = try Spawn.run(arguments, openFiles: files.limit)
    #expect(outcome.ending == .exited(70))
    #expect(outcome.output.isEmpty)
    #expect(
      outcome.errors == "affix: only \(files.left) more files can be opened, and 28 are needed; "
        + "raise the limit (ulimit -n)\n"
    )
  }

  @Test func `few files that can be open are enough for a check`() throws {
    let outcome = try Spawn.run(["check", "--json", "-"], input: Self.unusable, openFiles: 31)
    #expect(outcome.ending == .exited(2))
  }

  @Test(
    arguments: [
      ("check --quick - <&-", 2, "standard input cannot be read: Bad file descriptor"),
      ("version >&-", 70, "standard output cannot be written: Bad file descriptor"),
      ("check --quick /dev/null >&-", 70, "standard output cannot be written: Bad file descriptor"),
      ("version 2>&-", 0, ""),
    ]
  )
  func `what a caller closed can be neither read nor written`(
    words: String,
    status: Int32,
    errors: String
  ) throws {
    let outcome = try Spawn.run(
      ["-c", "exec \"$0\" \(words)", Spawn.binary()],
      program: "/bin/sh"
    )
    #expect(outcome.ending == .exited(status))
    let said = outcome.output + outcome.errors
    #expect(errors.isEmpty || said.contains(errors), "\(said)")
  }

  @Test func `a folder as standard input is unreadable`() throws {
    let folder = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let output = try Spawn.pipe()
    let errors = try Spawn.temporaryFile()
    defer { for end in [folder, output.read, errors] { close(end) } }
    let spawn = try Spawn(
      ["check", "--json", "-"],
      input: folder,
      output: output.write,
      errors: errors
    )
    close(output.write)
    #expect(Spawn.read(output.read, until: "\n").contains(#""code":"unreadable""#))
    #expect(spawn.wait() == .exited(2))
  }

  @Test(
    arguments: [([:], true), (["NO_COLOR": "1"], false), (["TERM": "dumb"], false)]
      as [([String: String], Bool)]
  )
  func `colours are for terminals that want them`(
    environment: [String: String],
    isColoured: Bool
  ) throws {
    let terminal = try Spawn.terminal()
    let input = try Spawn.temporaryFile(Self.unusable)
    let errors = try Spawn.temporaryFile()
    defer { for end in [terminal.screen, input, errors] { close(end) } }
    let spawn = try Spawn(
      ["check", "-"],
      environment: environment,
      input: input,
      output: terminal.child,
      errors: errors
    )
    close(terminal.child)
    let screen = Spawn.read(terminal.screen, until: "invalid-url")
    #expect(screen.contains("\u{1B}[33munobtainable") == isColoured)
    #expect(screen.contains("\u{1B}") == isColoured)
    #expect(spawn.wait() == .exited(2))
  }

  @Test func `progress is drawn on a terminal, and taken away at the end`() throws {
    let terminal = try Spawn.terminal()
    let input = try Spawn.pipe()
    let output = try Spawn.temporaryFile()
    defer { for end in [terminal.screen, input.read, output] { close(end) } }
    let spawn = try Spawn(
      ["check", "--json", "-"],
      input: input.read,
      output: output,
      errors: terminal.child
    )
    close(terminal.child)
    Spawn.write(Self.unusable, to: input.write)
    let line = "1 source"
    var screen = Spawn.read(terminal.screen, until: line)
    #expect(screen.contains(line))
    close(input.write)
    screen += Spawn.read(terminal.screen)
    #expect(screen.hasSuffix("\r\u{1B}[K"))
    #expect(spawn.wait() == .exited(2))
  }
}
