import TestSupport
import Testing

/// A failure that may pass is tried again, within the budget, and never after a settled verdict.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct RetryTests {
  private typealias Behavior = OriginServer.Behavior

  private static let picture = Fixture("jpeg/valid/baseline.jpg").bytes

  private func check(_ url: String, _ options: String...) async throws -> CheckAnswer {
    try await CheckAnswer.of(
      ["--no-preview", "--allow-address", "127.0.0.1/32"] + options + [url]
    )
  }

  @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
  func `a status that may pass is tried again`(status: Int) async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let url = origin.url(
      .failing(times: 2, with: .status(status), then: .body(Self.picture, type: "image/jpeg")),
      named: "a.jpg"
    )
    let answer = try await check(url)
    #expect(answer.verdict == "deliverable", "\(answer)")
    #expect(answer.warnings.contains("retried"))
    #expect(answer.part("transfer")["retries"] as? Int == 2)
    #expect((answer.part("transfer")["wait_ms"] as? Double ?? 0) > 250)
    #expect(origin.requests.count == 3)
  }

  @Test(arguments: [
    (0, "later"), (1, "later; 1 retry did not help"), (2, "later; 2 retries did not help"),
  ])
  func `a failure tells how often it was tried again`(retries: Int, words: String) async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let url = origin.url(.status(503), named: "a.jpg")
    let answer = try await check(url, "--retries", "\(retries)")
    let message = answer.part("error")["message"] as? String ?? ""
    #expect(message.hasSuffix(words), "\(answer)")
  }

  @Test func `a broken connection is tried again`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let url = origin.url(
      .failing(times: 1, with: .resetBeforeHead, then: .body(Self.picture)),
      named: "a.jpg"
    )
    #expect(try await check(url).verdict == "deliverable")
  }

  @Test(
    arguments: [
      (.nothing, 2), (.cutStatusLine, 2), (.cutHead, 2), (.garbage, 1), (.noHead, 1),
      (.hugeField, 1), (.nulBytes, 1), (.strangeVersion, 1), (.wordyLength, 1),
    ] as [(OriginServer.Behavior.BrokenHead, Int)]
  )
  func `an answer that breaks off is tried again, a broken one is not`(
    head: OriginServer.Behavior.BrokenHead,
    requests: Int
  ) async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let answer = try await check(origin.url(.brokenHead(head), named: "a.jpg"), "--retries", "1")
    #expect(answer.codes == ["protocol-error"], "\(answer)")
    #expect(origin.requests.count == requests, "\(answer)")
  }

  @Test func `where an earlier attempt was sent is not where the last one ended`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let elsewhere = origin.url(.status(503), named: "b.png")
    let url = origin.url(
      .failing(times: 1, with: .redirect(to: elsewhere), then: .body(Self.picture)),
      named: "a.jpg"
    )
    let answer = try await check(url)
    #expect(answer.verdict == "deliverable", "\(answer)")
    #expect(answer.part("transfer")["url"] as? String == url)
    #expect(answer.part("transfer")["redirects"] as? Int == 0)
  }

  @Test(arguments: [400, 401, 403, 404, 410, 501])
  func `a status that will not pass is not`(status: Int) async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let answer = try await check(origin.url(.status(status), named: "a.jpg"))
    #expect(answer.codes == ["http-status"])
    #expect(origin.requests.count == 1)
  }

  @Test func `no retries means one request`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let answer = try await check(origin.url(.status(503), named: "a.jpg"), "--retries", "0")
    #expect(answer.codes == ["http-status"])
    #expect(origin.requests.count == 1)
  }

  @Test func `a settled verdict is not tried again`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let page = Array("<!DOCTYPE html><html><body>sorry</body></html>".utf8)
    let answer = try await check(origin.url(.body(page), named: "a.jpg"))
    #expect(answer.codes == ["unsupported-type"])
    #expect(origin.requests.count == 1)
  }

  @Test(arguments: [(429, 60), (503, 1_800)])
  func `a wait that the budget does not cover is told, and not begun`(
    status: Int,
    seconds: Int
  ) async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let answer = try await check(
      origin.url(.retryAfter(seconds, status: status), named: "a.jpg"),
      "--budget",
      "5s"
    )
    #expect(answer.codes == ["http-status"])
    let message = answer.part("error")["message"] as? String ?? ""
    #expect(message.hasPrefix("the origin answered \(status)"))
    let words = "; it asks to wait \(seconds) s (Retry-After), and the budget of 5 s has "
    #expect(message.contains(words) && message.hasSuffix(" s left"), "\(message)")
    #expect(answer.run.elapsed < .seconds(3))
    #expect(origin.requests.count == 1)
  }

  @Test func `Retry-After is waited for`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let url = origin.url(
      .failing(times: 1, with: .retryAfter(1), then: .body(Self.picture)),
      named: "a.jpg"
    )
    let answer = try await check(url)
    #expect(answer.verdict == "deliverable", "\(answer)")
    #expect((answer.part("transfer")["wait_ms"] as? Double ?? 0) >= 1_000)
  }
}
