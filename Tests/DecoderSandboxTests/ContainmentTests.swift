import AttachmentModel
import DecoderSandbox
import Glibc
import TestSupport
import Testing
import TimeBudgets

/// Whatever a decoder is made to do costs one file, and nothing beyond its process.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct ContainmentTests {
  /// What a decoder does, and what is said of its file.
  struct Misdeed: Sendable, CustomTestStringConvertible {
    let words: String
    let consequence: String

    init(_ words: String, _ consequence: String) {
      self.words = words
      self.consequence = consequence
    }

    var testDescription: String { words }
  }

  private static let nonsense = "an answer that contradicts itself"

  @Test(arguments: [
    Misdeed("crash", "SIGSEGV"),
    Misdeed("abort", "SIGABRT"),
    Misdeed("allocate", "signal"),
    Misdeed("connect", "SIGSYS"),
    Misdeed("fork", "SIGSYS"),
    Misdeed("exec", "SIGSYS"),
    Misdeed("kill", "SIGSYS"),
    Misdeed("write", "SIGSYS"),
    Misdeed("overwrite", "SIGSYS"),
    Misdeed("map", "SIGSYS"),
    Misdeed("execute", "SIGSYS"),
    Misdeed("hang-up", "SIGSYS"),
    Misdeed("leave", "status 0"),
    Misdeed("flood", nonsense),
    Misdeed("swell", nonsense),
    Misdeed("babble", nonsense),
    Misdeed("lie", nonsense),
  ])
  func `a misdeed ends its child, is told, and the next file is right`(misdeed: Misdeed) throws {
    let probe = try Probe()
    defer { probe.examiner.close() }
    let inspection = try probe.ask(misdeed.words).inspection
    let finding = try #require(inspection.findings.first)
    #expect(finding.kind == .corrupt)
    // A sanitizer would describe an end, and is ended itself for the calls that this takes.
    let consequences = [misdeed.consequence] + (Sanitizer.isActive ? ["SIGSYS"] : [])
    #expect(consequences.contains { finding.detail.contains($0) }, "\(finding.detail)")
    #expect(try probe.ask("the next file").inspection.contentName == "the next file")
    // Neither was the misdeed tried again, nor did the good file cost a child.
    #expect(probe.examiner.startedChildren == 2)
  }

  @Test func `what children do and how they end is counted`() throws {
    let probe = try Probe()
    #expect(probe.examiner.activity.children == 0)
    try probe.examiner.awaitReadiness()
    let idle = probe.examiner.activity
    #expect(idle.children == 1)
    #expect(idle.childrenLimit == 1)
    #expect(idle.files == 0)
    #expect(idle.starts == 1)
    #expect(idle.endings == [:])
    #expect(idle.residentMemory > .megabytes(1))
    #expect(try !probe.ask("crash").inspection.findings.isEmpty)
    #expect(throws: ExaminationError.self) {
      try probe.ask("spin", within: .milliseconds(200))
    }
    #expect(try probe.ask("a good file").inspection.findings.isEmpty)
    let busy = probe.examiner.activity
    #expect(busy.starts == 3)
    #expect(busy.endings == [.crashed: 1, .late: 1])
    probe.examiner.close()
    #expect(probe.examiner.activity.children == 0)
  }

  @Test(arguments: ["open", "create"])
  func `a file is not opened, and the decoder may go on without it`(words: String) throws {
    let probe = try Probe()
    defer { probe.examiner.close() }
    #expect(try probe.ask(words).inspection.contentName == "refused: errno \(EACCES)")
    #expect(access("/tmp/affix-probe", F_OK) != 0)
    #expect(probe.examiner.startedChildren == 1)
  }

  @Test func `a decoder that hangs is ended at the end of its file's budget`() throws {
    let probe = try Probe()
    defer { probe.examiner.close() }
    _ = try probe.ask("ready")
    let clock = ContinuousClock()
    let start = clock.now
    do {
      _ = try probe.ask("spin", within: .milliseconds(200))
      Issue.record("it came to an end")
    } catch let error as ExaminationError {
      #expect(error.code == .budgetSpent)
    }
    #expect(clock.now - start >= .milliseconds(200))
    #expect(clock.now - start < .seconds(5))
    #expect(try probe.ask("the next file").inspection.contentName == "the next file")
  }

  @Test(arguments: ["spin", "spin and crash"])
  func `only the file that is worked on is blamed`(culprit: String) async throws {
    let probe = try Probe()
    defer { probe.examiner.close() }
    let results = await probe.ask(all: [(culprit, .seconds(1)), ("behind it", .seconds(20))])
    #expect(throws: (any Error).self) {
      let answer = try results[0].get()
      // A crash is a finding; here it counts as an error, like the other.
      if answer.inspection.has(.corrupt) { throw CancellationError() }
    }
    let behind = try results[1].get()
    #expect(behind.inspection.contentName == "behind it")
    #expect(behind.inspection.findings == [])
  }

  @Test func `waiting behind another file is told, and not charged`() async throws {
    let probe = try Probe { $0.grace = .milliseconds(100) }
    defer { probe.examiner.close() }
    _ = try probe.ask("ready")
    let results = await probe.ask(all: [
      ("spin", .seconds(2)), ("behind it", .milliseconds(1_500)),
    ])
    let behind = try results[1].get()
    #expect(behind.inspection.contentName == "behind it")
    #expect(behind.waited > .milliseconds(1_500))
  }

  @Test func `a child inherits its line and nothing else`() throws {
    // Open, and meant to be inherited.
    let file = open("/dev/null", O_RDONLY)
    defer { close(file) }
    var held = sigset_t()
    sigemptyset(&held)
    sigaddset(&held, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &held, nil)
    defer { pthread_sigmask(SIG_UNBLOCK, &held, nil) }
    let probe = try Probe()
    defer { probe.examiner.close() }
    let found = try probe.ask("surroundings").inspection.contentName
    #expect(found == "descriptors 0 1 2 3 4, variables TZ VIPS_DISC_THRESHOLD, signals held false")
  }

  @Test func `a child has its system calls filtered`() throws {
    let probe = try Probe()
    defer { probe.examiner.close() }
    _ = try probe.ask("ready")
    #expect(probe.examiner.notice == nil)
  }

  @Test(arguments: [
    ("/nonexistent", "cannot be started"),
    ("/bin/false", "status 1"),
    ("/bin/echo", "status 0"),
  ])
  func `a program that is none of ours is an error, and soon`(
    executable: String,
    reason: String
  ) throws {
    let probe = try Probe { $0.executable = executable }
    defer { probe.examiner.close() }
    do {
      _ = try probe.ask("anything")
      Issue.record("it answered")
    } catch let error as ExaminationError {
      #expect(error.code == .unreadable)
      #expect(error.message.contains(reason), "\(error.message)")
    }
    #expect(probe.examiner.startedChildren == 3)
  }

  /// A program that never says that it is ready, in a folder of its own.
  private static func silentProgram(in folder: TemporaryFolder) throws -> String {
    let path = folder.path(of: "silent")
    try folder.write(Array("#!/bin/sh\nexec sleep 600\n".utf8), to: "silent")
    try #require(chmod(path, 0o755) == 0)
    return path
  }

  @Test func `a child that never becomes ready is waited for once, and within the budget`() throws {
    let folder = try TemporaryFolder()
    let program = try Self.silentProgram(in: folder)
    let probe = try Probe { $0.executable = program }
    defer { probe.examiner.close() }
    let clock = ContinuousClock()
    let start = clock.now
    do {
      _ = try probe.ask("anything", within: .seconds(1))
      Issue.record("it answered")
    } catch let error as ExaminationError {
      #expect(error.code == .budgetSpent)
      #expect(error.message.contains("the budget of 1 s was spent"), "\(error.message)")
    }
    #expect(clock.now - start < .seconds(8))
    #expect(probe.examiner.startedChildren == 1)
  }

  @Test func `all children that a file waits for have one allowance to become ready`() throws {
    let folder = try TemporaryFolder()
    let program = try Self.silentProgram(in: folder)
    let probe = try Probe {
      $0.executable = program
      $0.startAllowance = .milliseconds(300)
    }
    defer { probe.examiner.close() }
    do {
      _ = try probe.ask("anything")
      Issue.record("it answered")
    } catch let error as ExaminationError {
      #expect(error.code == .unreadable)
      #expect(error.message.contains("not ready within 300 ms"), "\(error.message)")
    }
    #expect(probe.examiner.startedChildren == 1)
  }

  @Test func `where no descriptor is left for a child that is told at once`() async throws {
    let run = try await CommandRun.of(CommandRun.built("DecoderProbe"), ["starve"])
    #expect(run.ending == .exited(0), "\(run.errorOutput)")
    #expect(run.output == "unreadable\n")
    #expect(run.elapsed < .seconds(8))
  }

  @Test func `a child that has done enough makes room for a fresh one`() throws {
    let probe = try Probe { $0.filesPerChild = 3 }
    defer { probe.examiner.close() }
    for number in 1...7 {
      #expect(try probe.ask("file \(number)").inspection.contentName == "file \(number)")
    }
    #expect(probe.examiner.startedChildren == 3)
  }

  @Test func `after the end nothing is examined`() throws {
    let probe = try Probe()
    probe.examiner.close()
    #expect(throws: ExaminationError.self) { try probe.ask("anything") }
  }

  @Test(.disabled(if: Sanitizer.isActive, "a sanitizer answers a crash with forbidden calls"))
  func `of 1,000 files a tenth kill their child, and nothing is left behind`() async throws {
    let run = try await CommandRun.of(
      CommandRun.built("DecoderProbe"),
      ["soak"],
      deadline: .seconds(100)
    )
    #expect(run.ending == .exited(0), "\(run.errorOutput)")
    #expect(run.output == "right 1000, descriptors 0, children 0, growth small\n")
  }

  @Test func `a child that never ends dies with its parent, however that ends`() async throws {
    let parent = try RunningCommand(CommandRun.built("DecoderProbe"), ["hold"])
    var child: pid_t?
    let budget = TimeBudget(.seconds(10))
    while child == nil, !budget.isSpent {
      child = Processes.children(of: parent.processID).first
      try await Task.sleep(for: .milliseconds(5))
    }
    let orphan = try #require(child)
    // The whole group would be killed otherwise, of which the child is none.
    parent.send(SIGKILL)
    _ = await parent.run()
    while Processes.isAlive(orphan), !budget.isSpent {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(!Processes.isAlive(orphan))
  }
}
