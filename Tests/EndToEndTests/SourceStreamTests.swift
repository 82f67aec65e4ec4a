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

  /// As a list on standard input, and as arguments.
  @Test(arguments: [true, false])
  func `a slow host holds up its own sources alone`(isList: Bool) async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let picture = Fixture("jpeg/valid/baseline.jpg").bytes
    // Each is asked for by itself: the same address twice is one transfer.
    let slow = (0..<24).map { _ in
      origin.url(.body(picture, delay: .milliseconds(400)), named: "slow.jpg", host: "localhost")
    }
    let quick = (0..<3).map { _ in origin.url(.body(picture), named: "quick.jpg") }
    let urls = slow + quick
    let answer = try await CheckAnswer.of(
      [
        "--no-preview", "--quick", "--allow-address", "127.0.0.0/8",
        "--per-host", "2", "--concurrency", "4",
      ] + (isList ? ["-"] : urls),
      input: isList ? .bytes(Array(urls.joined(separator: "\n").utf8)) : .nothing
    )
    let sources = answer.reports.compactMap { $0["source"] as? String }
    #expect(Set(sources) == Set(urls))
    #expect(answer.reports.allSatisfy { $0["verdict"] as? String == "deliverable" }, "\(answer)")
    // Two slow ones may be done by then, and two more with bad luck.
    #expect(Set(sources.prefix(quick.count + 4)).isSuperset(of: quick), "\(sources)")
  }

  @Test func `a slow host is one host however it is written, and on all of its ports`() async throws
  {
    let origins = [try OriginServer(), try OriginServer()]
    defer { for origin in origins { origin.stop() } }
    let picture = Fixture("jpeg/valid/baseline.jpg").bytes
    let names = ["localhost", "LocalHost", "LOCALHOST"]
    let slow = (0..<24).map { index in
      let url = origins[index % 2].url(
        .body(picture, delay: .milliseconds(400)),
        named: "slow.jpg",
        host: "localhost"
      )
      let user = index < 12 ? "user\(index)@" : ""
      return url.replacing("localhost", with: user + names[index % 3])
    }
    let quick = (0..<3).map { _ in origins[0].url(.body(picture), named: "quick.jpg") }
    let answer = try await CheckAnswer.of(
      [
        "--no-preview", "--quick", "--allow-address", "127.0.0.0/8",
        "--per-host", "2", "--concurrency", "4", "-",
      ],
      input: .bytes(Array((slow + quick).joined(separator: "\n").utf8))
    )
    let sources = answer.reports.compactMap { $0["source"] as? String }
    #expect(Set(sources) == Set(slow + quick))
    #expect(answer.reports.allSatisfy { $0["verdict"] as? String == "deliverable" }, "\(answer)")
    #expect(Set(sources.prefix(quick.count + 4)).isSuperset(of: quick), "\(sources)")
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
