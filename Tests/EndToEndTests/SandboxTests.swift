import Glibc
import TestSupport
import Testing
import TimeBudgets

/// The command decodes in children, and says so where it does not.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct SandboxTests {
  private static let photo = Fixture("jpeg/valid/photo-1600x1200.jpg").path
  private static let webP = Fixture("webp/valid/still.webp").path

  @Test func `every format that a decoder is trusted with has its preview`() async throws {
    let files = ["jpeg/valid/baseline.jpg", "heic/valid/still.heic", "avif/valid/still.avif"]
      .map { Fixture($0).path }
    let answer = try await CheckAnswer.of(["--ordered"] + files + [Self.webP])
    #expect(answer.reports.count == 4)
    for report in answer.reports {
      let preview = report["preview"] as? [String: Any]
      #expect(preview?["size_bytes"] != nil, "\(answer)")
    }
    #expect(answer.run.errorOutput == "")
  }

  @Test func `without the sandbox a warning says so, and less is decoded`() async throws {
    let answer = try await CheckAnswer.of(["--ordered", "--no-sandbox", Self.photo, Self.webP])
    let previews = answer.reports.map { $0["preview"] as? [String: Any] }
    #expect(previews.first??["size_bytes"] != nil, "\(answer)")
    #expect(previews.last??["error"] != nil, "\(answer)")
    #expect(answer.run.errorOutput.contains("without a sandbox"))
  }

  @Test func `signature and structure alone need no child`() async throws {
    let answer = try await CheckAnswer.of(["--quick", Self.photo])
    #expect(answer.verdict == "deliverable", "\(answer)")
    #expect(answer.run.errorOutput == "")
  }

  @Test(arguments: [SIGKILL, SIGTERM])
  func `a decoder that somebody ends is no fault of the file's`(signal: CInt) async throws {
    let pictures = try TemporaryFolder()
    let command = try RunningCommand(
      CommandRun.affix,
      ["check", "--json", try await Self.largePicture(in: pictures)]
    )
    kill(try #require(await Self.busyChild(of: command.processID)), signal)
    let run = await command.run()
    #expect(run.output.contains("\"verdict\":\"deliverable\""), "\(run)")
    #expect(run.ending == .exited(0))
  }

  @Test(arguments: [(SIGSEGV, "SIGSEGV"), (SIGBUS, "SIGBUS")])
  func `a decoder that dies is told as the file's fault`(
    signal: CInt,
    name: String
  ) async throws {
    let pictures = try TemporaryFolder()
    let command = try RunningCommand(
      CommandRun.affix,
      ["check", "--json", try await Self.largePicture(in: pictures)]
    )
    kill(try #require(await Self.busyChild(of: command.processID)), signal)
    let run = await command.run()
    #expect(run.output.contains("\"code\":\"corrupt\""), "\(run)")
    #expect(run.output.contains(name), "\(run)")
    #expect(run.ending == .exited(1))
  }

  @Test func `a decoder that hangs costs its file the budget and no more`() async throws {
    let pictures = try TemporaryFolder()
    let command = try RunningCommand(
      CommandRun.affix,
      ["check", "--json", "--budget", "2s", try await Self.largePicture(in: pictures)]
    )
    kill(try #require(await Self.busyChild(of: command.processID)), SIGSTOP)
    let run = await command.run()
    #expect(run.output.contains("\"code\":\"budget-spent\""), "\(run)")
    #expect(run.ending == .exited(2))
    #expect(run.elapsed < .seconds(10))
  }

  @Test(
    arguments: [("1ms", "1 ms"), ("1500us", "1.5 ms"), ("2ms", "2 ms")],
    [["--no-sandbox"], []]
  )
  func `a budget is told as it was given`(
    budget: (written: String, told: String),
    options: [String]
  ) async throws {
    let answer = try await CheckAnswer.of(options + ["--budget", budget.written, Self.photo])
    #expect(answer.codes == ["budget-spent"], "\(answer)")
    let message = answer.part("error")["message"] as? String ?? ""
    #expect(message.contains("the budget of \(budget.told) "), "\(message)")
  }

  /// A picture of few bytes that takes about a second to decode.
  private static func largePicture(in folder: TemporaryFolder) async throws -> String {
    let path = folder.path(of: "large.png")
    let size = ["10000", "9999", "--bands", "3"]
    let made = try await CommandRun.of("/usr/bin/vips", ["black", path] + size)
    try #require(made.ending == .exited(0), "\(made)")
    return path
  }

  /// Waits until a child computes, and not only for a moment, with its cage closed.
  private static func busyChild(of parent: pid_t) async -> pid_t? {
    let budget = TimeBudget(.seconds(15))
    var last: pid_t?
    while !budget.isSpent {
      let busy = Processes.children(of: parent).first {
        Processes.computes($0) && Processes.isFiltered($0)
      }
      if let busy, busy == last { return busy }
      last = busy
      try? await Task.sleep(for: .milliseconds(3))
    }
    return nil
  }
}
