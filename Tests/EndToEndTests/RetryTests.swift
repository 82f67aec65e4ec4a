import TestSupport
import Testing

/// A failure that may pass is tried again, within the budget, and never after a settled verdict.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct RetryTests {
  private typealias Behavior = OriginServer.Behavior

  private static let picture = Fixture("jpeg/valid/baseline.jpg").bytes
  private static let tag: KeyValuePairs = ["ETag": "\"strong\""]

  private func check(_ url: String, _ options: String...) async throws -> CheckAnswer {
    try await CheckAnswer.of(
      ["--no-preview", "--sha256", "--allow-address", "127.0.0.1/32"] + options + [url]
    )
  }

  private func digest(_ answer: CheckAnswer) -> String? {
    answer.part("file")["sha256"] as? String
  }

  /// The digest of the picture as the command states it for the file itself.
  private func expectedDigest() async throws -> String? {
    let path = Fixture("jpeg/valid/baseline.jpg").path
    return digest(try await CheckAnswer.of(["--no-preview", "--sha256", path]))
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

  @Test func `a wait that the budget does not cover is not begun`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let answer = try await check(
      origin.url(.retryAfter(60, status: 503), named: "a.jpg"),
      "--budget",
      "5s"
    )
    #expect(answer.codes == ["http-status"])
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

  @Test func `a cut body is gone on with where its bytes are certain to be the same`() async throws
  {
    let origin = try OriginServer()
    defer { origin.stop() }
    let url = origin.url(
      .failing(
        times: 1,
        with: .cut(after: 1_500, of: Self.picture, headers: Self.tag),
        then: .representation(Self.picture, entityTag: "\"strong\"")
      ),
      named: "a.jpg"
    )
    let answer = try await check(url)
    #expect(answer.verdict == "deliverable", "\(answer)")
    #expect(try await digest(answer) == expectedDigest())
    #expect(origin.requests.count == 2)
    #expect(origin.requests.last?["Range"] == "bytes=1500-")
    #expect(origin.requests.last?["If-Range"] == "\"strong\"")
    #expect(answer.part("transfer")["received_bytes"] as? Int == Self.picture.count)
  }

  @Test(arguments: [304, 416])
  func `an origin that refuses the rest is asked for all of it`(status: Int) async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let url = origin.url(
      .failing(
        times: 1,
        with: .cut(after: 1_500, of: Self.picture, headers: Self.tag),
        then: .failing(times: 1, with: .status(status), then: .body(Self.picture))
      ),
      named: "a.jpg"
    )
    let answer = try await check(url)
    #expect(answer.verdict == "deliverable", "\(answer)")
    #expect(try await digest(answer) == expectedDigest())
    #expect(origin.requests.map { $0["Range"] } == [nil, "bytes=1500-", nil])
  }

  @Test func `a file that changed meanwhile is fetched anew`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let url = origin.url(
      .failing(
        times: 1,
        with: .cut(after: 1_500, of: Fixture("png/valid/rgb.png").bytes, headers: Self.tag),
        then: .representation(Self.picture, entityTag: "\"other\"")
      ),
      named: "a.jpg"
    )
    let answer = try await check(url)
    #expect(answer.verdict == "deliverable", "\(answer)")
    #expect(try await digest(answer) == expectedDigest())
  }

  @Test func `another part than was asked for is not glued on`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let url = origin.url(
      .failing(
        times: 1,
        with: .cut(after: 1_500, of: Self.picture, headers: Self.tag),
        then: .representation(Self.picture, entityTag: "\"strong\"", ranges: .shifted)
      ),
      named: "a.jpg"
    )
    let answer = try await check(url)
    #expect(answer.verdict == "deliverable", "\(answer)")
    #expect(try await digest(answer) == expectedDigest())
    #expect(origin.requests.last?["Range"] == nil)
  }

  @Test func `less of the rest than was asked for is gone on with`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let url = origin.url(
      .failing(
        times: 1,
        with: .cut(after: 1_500, of: Self.picture, headers: Self.tag),
        then: .failing(
          times: 1,
          with: .representation(Self.picture, entityTag: "\"strong\"", ranges: .halved),
          then: .representation(Self.picture, entityTag: "\"strong\"")
        )
      ),
      named: "a.jpg"
    )
    let answer = try await check(url)
    #expect(answer.verdict == "deliverable", "\(answer)")
    #expect(try await digest(answer) == expectedDigest())
    let middle = 1_500 + (Self.picture.count - 1_500 + 1) / 2
    #expect(origin.requests.map { $0["Range"] } == [nil, "bytes=1500-", "bytes=\(middle)-"])
  }

  @Test func `a file of which parts alone come is not judged by them`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let url = origin.url(
      .failing(
        times: 1,
        with: .cut(after: 1_500, of: Self.picture, headers: Self.tag),
        then: .representation(Self.picture, entityTag: "\"strong\"", ranges: .halved)
      ),
      named: "a.jpg"
    )
    #expect(try await check(url).codes == ["incomplete-body"])
  }

  @Test func `more than the rest is not glued on`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let url = origin.url(
      .failing(
        times: 1,
        with: .cut(after: 1_500, of: Self.picture, headers: Self.tag),
        then: .representation(Self.picture, entityTag: "\"strong\"", ranges: .overlong)
      ),
      named: "a.jpg"
    )
    let answer = try await check(url)
    #expect(answer.verdict == "deliverable", "\(answer)")
    #expect(try await digest(answer) == expectedDigest())
    #expect(origin.requests.map { $0["Range"] } == [nil, "bytes=1500-", nil])
  }

  @Test(arguments: ["\"other\"", "\"strong\""])
  func `a part of another file is not glued on`(tag: String) async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let url = origin.url(
      .failing(
        times: 1,
        with: .cut(after: 1_500, of: Self.picture + [0], headers: Self.tag),
        then: .representation(Self.picture, entityTag: tag, ranges: .unconditional)
      ),
      named: "a.jpg"
    )
    let answer = try await check(url)
    #expect(answer.verdict == "deliverable", "\(answer)")
    #expect(try await digest(answer) == expectedDigest())
    #expect(origin.requests.last?["Range"] == nil)
  }

  @Test func `a part from another address is not glued on`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    var other = Self.picture
    other[700] ^= 1
    let first = origin.url(.cut(after: 1_500, of: other, headers: Self.tag), named: "a.jpg")
    let second = origin.url(.representation(Self.picture, entityTag: "\"strong\""), named: "a.jpg")
    let url = origin.url(
      .failing(times: 1, with: .redirect(to: first), then: .redirect(to: second)),
      named: "a.jpg"
    )
    let answer = try await check(url)
    #expect(answer.verdict == "deliverable", "\(answer)")
    #expect(try await digest(answer) == expectedDigest())
    #expect(origin.requests.allSatisfy { $0["Range"] == nil })
  }

  @Test func `a cut body behind a redirect is gone on with`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let destination = origin.url(
      .failing(
        times: 1,
        with: .cut(after: 1_500, of: Self.picture, headers: Self.tag),
        then: .representation(Self.picture, entityTag: "\"strong\"")
      ),
      named: "a.jpg"
    )
    let answer = try await check(origin.url(.redirect(to: destination), named: "a.jpg"))
    #expect(answer.verdict == "deliverable", "\(answer)")
    #expect(try await digest(answer) == expectedDigest())
    #expect(origin.requests.map { $0["Range"] } == [nil, nil, nil, "bytes=1500-"])
  }

  @Test(arguments: ["W/\"weak\"", "bare"])
  func `a tag that promises too little is not relied on`(tag: String) async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let url = origin.url(
      .failing(
        times: 1,
        with: .cut(after: 1_500, of: Self.picture, headers: ["ETag": tag]),
        then: .body(Self.picture)
      ),
      named: "a.jpg"
    )
    #expect(try await check(url).verdict == "deliverable")
    #expect(origin.requests.last?["Range"] == nil)
  }
}
