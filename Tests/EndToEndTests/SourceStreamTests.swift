import Foundation
import TestSupport
import Testing

/// Sources on standard input are read as they are needed, however many there are.
@Suite(.timeLimit(.minutes(3)), .serialized)
struct SourceStreamTests {
  @Test func `files, addresses and standard input mix`() async throws {
    let picture = Fixture("jpeg/valid/baseline.jpg").path
    let answer = try await CheckAnswer.of(
      ["--ordered", Fixture("html/valid/error-page.html").path, "-", "nonsense://x"],
      input: .bytes(Array("\(picture)\r\n\n\(picture)\n/nowhere.jpg".utf8))
    )
    let verdicts = answer.reports.map { $0["verdict"] as? String }
    #expect(verdicts == ["rejected", "deliverable", "deliverable", "unobtainable", "unobtainable"])
    #expect(answer.run.ending == .exited(2))
  }

  @Test func `a hundred thousand lines leave memory flat`() async throws {
    let few = try await peakMemory(lines: 1_000)
    let many = try await peakMemory(lines: 100_000)
    // 20 MB of room for the allocator; holding the lines or their reports would take far more.
    #expect(many < few + 20_000, "\(few) kB for 1,000 lines, \(many) kB for 100,000")
  }

  /// The peak memory of a run over lines that name no file, in kB.
  private func peakMemory(lines: Int) async throws -> Int {
    let folder = try TemporaryFolder()
    let line = "/nowhere/" + String(repeating: "x", count: 200) + ".jpg\n"
    let list = try folder.write(Array(String(repeating: line, count: lines).utf8), to: "list")
    let script = """
      "$0" check --json - < "$1" > "$2" &
      child=$!
      peak=0
      while peak_now=$(awk '/VmHWM/ {print $2}' /proc/$child/status 2>/dev/null) && [ -n "$peak_now" ]
      do peak=$peak_now; sleep 0.02; done
      wait $child
      echo "$peak $(wc -l < "$2")"
      """
    let run = try await CommandRun.of(
      "/bin/sh",
      ["-c", script, try CommandRun.affix, list, folder.path(of: "out")],
      deadline: .seconds(90)
    )
    let figures = run.output.split { $0 == " " || $0 == "\n" }.compactMap { Int($0) }
    #expect(figures.count == 2 && figures[1] == lines, "\(run)")
    return figures.first ?? 0
  }
}
