import TestSupport
import Testing

/// Many sources together: what they share, and the limits that hold for all of them.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct BatchTests {
  private static let picture = Fixture("jpeg/valid/baseline.jpg").bytes
  private static let options = ["--no-preview", "--allow-address", "127.0.0.1/32"]

  private func codes(_ answer: CheckAnswer) -> [String: Int] {
    answer.reports.reduce(into: [:]) { counts, report in
      let error = report["error"] as? [String: Any]
      let code = error?["code"] as? String ?? report["verdict"] as? String ?? "none"
      counts[code, default: 0] += 1
    }
  }

  @Test func `one address asked for several times at once is fetched once`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let url = origin.url(.body(Self.picture, delay: .milliseconds(500)), named: "a.jpg")
    let spellings = [url, url + "#x", url.replacing("http:", with: "HTTP:"), " \(url)", url]
    let answer = try await CheckAnswer.of(Self.options + ["--ordered"] + spellings)
    #expect(answer.reports.map { $0["source"] as? String } == spellings)
    #expect(codes(answer) == ["deliverable": 5], "\(answer)")
    #expect(origin.requests.count == 1)
  }

  @Test func `what cannot start within the total budget is not tried`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let urls = (0..<40).map { _ in
      origin.url(.body(Self.picture, delay: .milliseconds(200)), named: "a.jpg")
    }
    let answer = try await CheckAnswer.of(
      Self.options + ["--concurrency", "1", "--total-budget", "1s"] + urls
    )
    #expect(answer.reports.count == 40)
    #expect(codes(answer)["budget-spent", default: 0] > 30, "\(answer)")
    #expect(origin.requests.count < 10)
    #expect(answer.run.output.contains("the total budget of 1 s (--total-budget) is spent"))
    #expect(answer.run.elapsed < .seconds(4))
    #expect(answer.run.ending == .exited(2))
  }

  @Test(
    arguments: [
      ("10s", "2s", "the total budget of 2 s (--total-budget)"), ("1s", "10s", "the budget of 1 s"),
    ]
  )
  func `what a budget ends names that budget`(
    budget: String,
    total: String,
    words: String
  ) async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let url = origin.url(.body(Self.picture, delay: .seconds(15)), named: "a.jpg")
    let answer = try await CheckAnswer.of(
      Self.options + ["--budget", budget, "--total-budget", total, url]
    )
    #expect(codes(answer) == ["budget-spent": 1], "\(answer)")
    let message = answer.part("error")["message"] as? String ?? ""
    #expect(message.hasPrefix("\(words) is spent, while waiting for"), "\(message)")
  }

  @Test(arguments: [["--no-sandbox"], []])
  func `what the total budget ends in a decoder says so`(options: [String]) async throws {
    let photo = Fixture("jpeg/valid/photo-1600x1200.jpg").path
    let answer = try await CheckAnswer.of(options + ["--total-budget", "2ms", photo])
    #expect(codes(answer) == ["budget-spent": 1], "\(answer)")
    let message = answer.part("error")["message"] as? String ?? ""
    #expect(message.contains("the total budget of 2 ms (--total-budget) "), "\(message)")
  }

  @Test func `no further source starts once the total bytes are fetched`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let urls = (0..<10).map { _ in origin.url(.body(Self.picture), named: "a.jpg") }
    let answer = try await CheckAnswer.of(
      Self.options
        + ["--concurrency", "1", "--total-bytes", "\(Self.picture.count * 3)"] + urls
    )
    #expect(codes(answer) == ["deliverable": 3, "budget-spent": 7], "\(answer)")
    #expect(answer.run.output.contains("(--total-bytes); this was not tried"))
    #expect(origin.requests.count == 3)
  }

  @Test func `a rate that cannot make the budget ends early where asked to`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let long = Array(repeatElement(Self.picture, count: 100).joined())
    let answer = try await CheckAnswer.of(
      Self.options + [
        "--budget", "8s", "--deadline-aware",
        origin.url(.dripping(bytesPerSecond: 5_000, of: long), named: "a.jpg"),
      ]
    )
    #expect(codes(answer) == ["budget-spent": 1], "\(answer)")
    #expect(answer.part("transfer")["ended_early"] as? String == "deadline")
    #expect((answer.part("transfer")["spared_bytes"] as? Int ?? 0) > 200_000)
    #expect(answer.run.elapsed < .seconds(4))
  }

  @Test func `the quota fails what does not fit, and nothing else`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let large = Self.picture + [UInt8](repeating: 0, count: 300_000)
    let urls = [
      origin.url(.body(large), named: "large.jpg"), origin.url(.body(Self.picture), named: "a.jpg"),
    ]
    let answer = try await CheckAnswer.of(
      Self.options + ["--ordered", "--concurrency", "1", "--quota", "50kB"] + urls + urls
    )
    #expect(codes(answer) == ["storage-full": 2, "deliverable": 2], "\(answer)")
    #expect(answer.leftovers == [])
  }

  @Test(arguments: [
    (["--quick"], "deliverable"), (["--quick", "--sha256"], "deliverable"), ([], "storage-full"),
  ])
  func `a small file that is only looked at takes no room`(
    asked: [String],
    code: String
  ) async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let url = origin.url(.body(Self.picture), named: "a.jpg")
    let answer = try await CheckAnswer.of(Self.options + ["--quota", "1"] + asked + [url])
    #expect(codes(answer) == [code: 1], "\(answer)")
  }

  @Test func `a guarded port can be allowed`() async throws {
    let url = "http://127.0.0.1:9/a.jpg"
    let options = Self.options + ["--retries", "0"]
    let refused = try await CheckAnswer.of(options + [url])
    #expect(refused.codes == ["blocked-port"])
    #expect(refused.run.output.contains("(--allow-port)"))
    let allowed = try await CheckAnswer.of(options + ["--allow-port", "9", url])
    #expect(allowed.codes == ["connection-refused"])
  }

  @Test func `a forbidden address beside an allowed one does not stop a host`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    // "localhost" is ::1 as well, which is not allowed here.
    let url = origin.url(.body(Self.picture), named: "a.jpg", host: "localhost")
    #expect(codes(try await CheckAnswer.of(Self.options + [url])) == ["deliverable": 1])
  }
}
