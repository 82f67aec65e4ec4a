import AttachmentModel
import Foundation
import HTTPService
import TestSupport
import Testing

/// Clients that are slow, lie or vanish cost little, and nobody else anything.
@Suite(.timeLimit(.minutes(1)))
struct HostileClientTests {
  private static let upload =
    "POST /v1/attachments HTTP/1.1\r\nHost: localhost\r\nContent-Type: image/png\r\n"

  static let nonsense = [
    upload + "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    upload + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
    upload + "Content-Length: 5\r\nContent-Length: 9\r\n\r\nhello",
    upload + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    upload + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    upload + "Content-Length: -1\r\n\r\n", upload + "Content-Length: 99999999999999999999\r\n\r\n",
    "GET /healthz HTTP/9.9\r\nHost: localhost\r\n\r\n", "GET\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "x", count: 100_000))\r\n\r\n",
    "GET /\(String(repeating: "y", count: 100_000)) HTTP/1.1\r\nHost: localhost\r\n\r\n",
  ]

  @Test(arguments: nonsense.indices)
  func `nonsense is refused or cut, and the next client is served`(index: Int) async throws {
    let running = try RunningService()
    let client = try #require(RawClient(running.client.base + "/"))
    client.say(Self.nonsense[index])
    client.stopSending()
    let reply = await client.answer(patience: .seconds(5))
    #expect(reply.ending != .outOfPatience)
    #expect(reply.status.map { $0 >= 400 } ?? true, "\(reply.text)")
    #expect(await running.client.ask("GET", "/healthz").status == 200)
    await running.stop()
    #expect(running.files.contents == [])
  }

  @Test(
    arguments: [
      "", "\r\n\r\n\r\n", "\u{16}\u{03}\u{01}", String(repeating: "\0", count: 1_000), "GET /he",
    ]
      + ["GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: "]
  )
  func `a head that drips is cut when its time is over`(beginning: String) async throws {
    let running = try RunningService { serving, _ in serving.limits.head = .milliseconds(500) }
    let client = try #require(RawClient(running.client.base + "/"))
    client.say(beginning)
    var reply = RawClient.Reply()
    for _ in 0..<40 where reply.ending == .outOfPatience {
      client.say("x")
      reply = await client.answer(patience: .milliseconds(100))
    }
    #expect(reply.ending != .outOfPatience)
    #expect(await running.client.ask("GET", "/healthz").status == 200)
    await running.stop()
  }

  @Test func `requests in a row on one connection are answered in order`() async throws {
    let running = try RunningService()
    let client = try #require(RawClient(running.client.base + "/"))
    client.say(
      ["/healthz", "/v1/attachments/none", "/version"]
        .map { "GET \($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }.joined()
    )
    let text = await client.answer(until: "\"affix\"", patience: .seconds(5)).text
    let places = ["\"ok\"", "\"not-found\"", "\"affix\""].compactMap {
      text.firstRange(of: $0)?.lowerBound
    }
    #expect(places.count == 3, "\(text)")
    #expect(places == places.sorted())
    await running.stop()
  }

  @Test(
    arguments: [
      ("http://localhost/v1/policies", "127.0.0.1", 200),
      ("HTTP://[::1]:8470/v1/policies?", "localhost", 200), ("http://localhost", "localhost", 404),
      ("http://evil.example/v1/policies", "localhost", 403),
      ("http://localhost/v1/policies", "evil.example", 200),
      ("http://localhost@evil.example/v1/policies", "localhost", 400),
      ("http:///v1/policies", "localhost", 400), ("https:///healthz", "localhost", 400),
      ("http://:80/healthz", "localhost", 400), ("http://?", "localhost", 400),
      ("ftp://localhost/v1/policies", "localhost", 400),
    ]
  )
  func `an absolute target names the host itself`(
    target: String,
    host: String,
    status: Int
  ) async throws {
    let running = try RunningService()
    let client = try #require(RawClient(running.client.base + "/"))
    client.say("GET \(target) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
    let reply = await client.answer()
    #expect(reply.status == status, "\(reply.text)")
    await running.stop()
  }

  @Test func `an upload that is not finished leaves nothing behind`() async throws {
    let running = try RunningService()
    var clients = (0..<20).compactMap { _ in RawClient(running.client.base + "/") }
    for client in clients { client.say(Self.upload + "Content-Length: 100000\r\n\r\nabc") }
    #expect(await running.client.ask("GET", "/healthz").status == 200)
    clients = []
    await running.stop()
    #expect(running.files.contents == [])
  }

  @Test func `an upload whose sender vanishes is over at once`() async throws {
    let running = try RunningService()
    let idle = running.files.contents
    var client = RawClient(running.client.base + "/")
    client?.say(Self.upload + "Content-Length: 100000\r\n\r\nabc")
    // Its file is there once a part of it was taken.
    while running.files.contents == idle { try await Task.sleep(for: .milliseconds(5)) }
    let clock = ContinuousClock()
    let start = clock.now
    client = nil
    while running.files.contents != idle { try await Task.sleep(for: .milliseconds(5)) }
    #expect(clock.now - start < .seconds(5))
    await running.stop()
  }

  @Test(arguments: [
    "GET /he", "GET /healthz HTTP/1.1\r\nHo", upload + "Content-Length: 9\r\n\r\nabc",
  ])
  func `who ends in the middle of a request is let go at once`(beginning: String) async throws {
    let running = try RunningService { serving, _ in serving.limits.head = .seconds(60) }
    let client = try #require(RawClient(running.client.base + "/"))
    client.sayLast(beginning)
    // The sixty seconds for a head or a body are for those who may still send.
    #expect(await client.answer(patience: .seconds(20)).ending != .outOfPatience)
    await running.stop()
  }

  @Test(arguments: ["/healthz", "/v1/attachments/none"])
  func `who asks for the last time is answered and let go`(path: String) async throws {
    let running = try RunningService()
    let client = try #require(RawClient(running.client.base + "/"))
    client.sayLast("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    let reply = await client.answer(patience: .seconds(20))
    #expect(reply.text.contains("HTTP/1.1 \(path == "/healthz" ? 200 : 404) "))
    #expect(reply.ending == .closed)
    await running.stop()
  }

  @Test func `an upload that takes longer than its budget is cut`() async throws {
    let running = try RunningService()
    let client = try #require(RawClient(running.client.base + "/"))
    client.say(
      Self.upload.replacing("/v1/attachments", with: "/v1/attachments?budget_ms=1000")
        + "Content-Length: 100000\r\n\r\nabc"
    )
    let reply = await client.answer(patience: .seconds(8))
    #expect(reply.ending == .closed || reply.ending == .reset)
    await running.stop()
  }

  @Test func `a body over the limit is refused, whether its length is told or not`() async throws {
    let running = try RunningService { serving, _ in serving.limits.body = .kilobytes(10) }
    let told = await running.client.ask(
      "POST",
      "/v1/attachments",
      ["Content-Type: image/png"],
      body: [UInt8](repeating: 1, count: 10_001)
    )
    #expect(told.status == 413)
    #expect(told.problem == "body-too-large")
    let client = try #require(RawClient(running.client.base + "/"))
    client.say(Self.upload + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n")
    client.say([UInt8]("4e20\r\n".utf8) + [UInt8](repeating: 1, count: 20_000) + [13, 10])
    client.say("0\r\n\r\n")
    #expect(await client.answer().problem == "body-too-large")
    await running.stop()
    #expect(running.files.contents == [])
  }

  @Test func `a body without an end is refused before the line is cut`() async throws {
    let running = try RunningService { serving, _ in serving.limits.body = .kilobytes(10) }
    let client = try #require(RawClient(running.client.base + "/"))
    client.say(Self.upload + "Transfer-Encoding: chunked\r\nX-Request-ID: endless\r\n\r\n")
    let chunk = [UInt8]("10000\r\n".utf8) + [UInt8](repeating: 1, count: 0x10000) + [13, 10]
    let isTaken = await OwnThread.run { (0..<400).allSatisfy { _ in client.say(chunk) } }
    let reply = await client.answer()
    #expect(reply.status == 413, "\(isTaken)")
    #expect(reply.problem == "body-too-large")
    #expect(reply["connection"] == "close")
    #expect(reply["x-request-id"] == "endless")
    #expect(reply.ending != .outOfPatience)
    // It is not waited for, though it has not gone.
    let clock = ContinuousClock()
    let start = clock.now
    await running.stop()
    #expect(clock.now - start < .seconds(4))
    #expect(running.files.contents == [])
  }

  @Test(arguments: ["GET /healthz HT", upload + "Content-Length: 9999\r\n\r\nsome of it"])
  func `what does not arrive whole does not hold up a drain`(beginning: String) async throws {
    let running = try RunningService()
    let client = try #require(RawClient(running.client.base + "/"))
    client.say(beginning)
    let clock = ContinuousClock()
    let start = clock.now
    await running.stop()
    #expect(clock.now - start < .seconds(5))
    #expect(await client.answer(patience: .seconds(1)).ending != .outOfPatience)
  }
}
