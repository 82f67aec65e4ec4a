import AttachmentModel
import Foundation
import HTTPService
import TestSupport
import Testing

/// Many requests in, their reports out as they are finished.
@Suite(.timeLimit(.minutes(1)))
struct BatchTests {
  private static let picture = Fixture("png/valid/rgb.png").bytes

  private func post(_ running: RunningService, _ text: String) async -> RawClient.Reply {
    await running.client.ask(
      "POST",
      "/v1/batches",
      ["Content-Type: application/x-ndjson"],
      body: Array(text.utf8)
    )
  }

  @Test func `every line is answered under its number`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let running = try RunningService()
    let url = origin.url(.body(Self.picture, type: "image/png"), named: "a.png")
    let lines = (0..<50).map { #"{"url": "\#(url)?\#($0)", "preview": false}"# }
    let reply = await post(running, (lines + ["", "{", #"{"url": 1}"#]).joined(separator: "\n"))
    #expect(reply.status == 200)
    #expect(reply["content-type"] == "application/x-ndjson")
    let objects = reply.objects
    #expect(objects.count == 52)
    #expect(Set(objects.compactMap { $0["line"] as? Int }) == Set(Array(1...50) + [52, 53]))
    let verdicts = objects.compactMap { $0["verdict"] as? String }
    #expect(verdicts == [String](repeating: "deliverable", count: 50))
    let problems = objects.compactMap { $0["code"] as? String }
    #expect(problems == ["malformed-request", "malformed-request"])
    await running.stop()
    #expect(running.files.contents == [])
  }

  @Test func `who goes while nothing is to be said ends its batch`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let running = try RunningService()
    let slow = origin.url(.stalling(after: 10, of: Self.picture), named: "a.png")
    let body = (0..<2).map { #"{"url": "\#(slow)?\#($0)"}"# + "\n" }.joined()
    var client = RawClient(running.client.base + "/")
    client?.say(
      "POST /v1/batches HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n" + body
    )
    #expect(await client?.answer(until: "\r\n\r\n").status == 200)
    #expect(await origin.received(2))
    client = nil
    #expect(await origin.becameIdle(within: .seconds(3)))
    await running.stop()
  }

  @Test func `who only sends no more gets every line`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let running = try RunningService()
    let slow = origin.url(.dripping(bytesPerSecond: 3_000, of: Self.picture), named: "a.png")
    let body = (0..<3).map { #"{"url": "\#(slow)?\#($0)"}"# + "\n" }.joined()
    let client = try #require(RawClient(running.client.base + "/"))
    client.say(
      "POST /v1/batches HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
        + "Connection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body
    )
    client.stopSending()
    let reply = await client.answer(patience: .seconds(10))
    #expect(reply.objects.count == 3, "\(reply.text)")
    await running.stop()
  }

  @Test func `one slow host does not keep the lines of others waiting`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let running = try RunningService { serving, _ in serving.limits.checks = 4 }
    let slow = origin.url(.stalling(after: 10, of: Self.picture), named: "a.png")
    let quick = origin.url(
      .body(Self.picture, type: "image/png"),
      named: "b.png",
      host: "localhost"
    )
    let urls = (0..<40).map { "\(slow)?\($0)" } + [quick]
    let body = urls.map { #"{"url": "\#($0)", "preview": false}"# + "\n" }.joined()
    var client = RawClient(running.client.base + "/")
    client?.say(
      "POST /v1/batches HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n" + body
    )
    let first = await client?.answer(until: "\"verdict\"", patience: .seconds(20)).text ?? ""
    #expect(first.contains(#"{"line":41,"#), "\(first)")
    client = nil
    await running.stop()
    #expect(running.files.contents == [])
  }

  @Test func `a batch of one slow host is checked as wide as any`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let running = try RunningService { serving, _ in serving.limits.checks = 8 }
    let slow = origin.url(.stalling(after: 10, of: Self.picture), named: "a.png")
    let body = (0..<9).map { #"{"url": "\#(slow)?\#($0)"}"# + "\n" }.joined()
    var client = RawClient(running.client.base + "/")
    client?.say(
      "POST /v1/batches HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n" + body
    )
    #expect(await origin.received(4))
    client = nil
    await running.stop()
  }

  @Test func `a batch over the limit is refused`() async throws {
    let running = try RunningService { serving, _ in serving.limits.batch = ByteCount(100) }
    let reply = await post(running, String(repeating: "\n", count: 101))
    #expect(reply.status == 413)
    #expect(reply.problem == "body-too-large")
    #expect(await post(running, String(repeating: "\n", count: 100)).status == 200)
    await running.stop()
  }

  @Test func `who stops reading holds its batch up, and who goes ends it`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let running = try RunningService()
    let url = origin.url(.body(Self.picture, type: "image/png"), named: "a.png")
    // Long addresses make long reports: far more of them than buffers hold.
    let tail = String(repeating: "x", count: 6_000)
    let body = (0..<3_000).map { #"{"url": "\#(url)?\#($0)\#(tail)", "quick": true}"# + "\n" }
      .joined()
    var client = RawClient(running.client.base + "/")
    client?.say(
      "POST /v1/batches HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n"
    )
    client?.say(body)
    #expect(await client?.answer(until: "\"verdict\"").status == 200)
    client = nil
    await running.stop()
    #expect(origin.requests.count < 3_000)
    #expect(running.files.contents == [])
  }
}
