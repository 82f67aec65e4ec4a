import AttachmentModel
import Foundation
import HTTPService
import TestSupport
import Testing

/// Who is refused is told what was wrong, which limit was hit, and what to do.
@Suite(.timeLimit(.minutes(1)))
struct RefusalTests {
  private static let token = "0123456789abcdef-campaigns"
  private static let picture = Fixture("jpeg/valid/baseline.jpg").bytes

  private func detail(_ reply: RawClient.Reply) -> String {
    reply.object["detail"] as? String ?? reply.text
  }

  private func untilChecks(_ count: Int, of client: ServiceClient) async throws {
    while await !client.ask("GET", "/metrics").text.contains("affix_checks_in_progress \(count)\n")
    {
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  @Test(
    arguments: [
      ("/v1/attachments", "image/png", ["10000 bytes", "--max-body"]),
      ("/v1/batches", "application/x-ndjson", ["20000 bytes", "--max-batch"]),
      ("/v1/attachments", "application/json", ["65536 bytes", "JSON request"]),
    ]
  )
  func `a body that is too large is told how large it may be`(
    path: String,
    type: String,
    words: [String]
  ) async throws {
    let running = try RunningService { serving, _ in
      serving.limits.body = .kilobytes(10)
      serving.limits.batch = .kilobytes(20)
    }
    let body = [UInt8](repeating: 32, count: 70_000)
    let reply = await running.client.ask("POST", path, ["Content-Type: \(type)"], body: body)
    #expect(reply.status == 413)
    #expect(words.allSatisfy { detail(reply).contains($0) }, "\(detail(reply))")
    await running.stop()
  }

  @Test func `who finds the line full is told its limits, and when to come again`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let running = try RunningService { serving, _ in
      serving.limits.checks = 1
      serving.limits.queue = 0
    }
    let slow = origin.url(.stalling(after: 10, of: Self.picture), named: "a.jpg")
    let client = running.client
    // One turn that ends, so that the service knows how long they last.
    let drip = origin.url(.dripping(bytesPerSecond: 2_000, of: Self.picture), named: "b.jpg")
    #expect(await client.post("/v1/attachments", json: #"{"url": "\#(drip)"}"#).status == 200)
    try await untilChecks(0, of: client)
    var first = RawClient(client.base + "/")
    let body = #"{"url": "\#(slow)"}"#
    first?.say(
      "POST /v1/attachments HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    )
    try await untilChecks(1, of: client)
    let refused = await client.post("/v1/attachments", json: body)
    #expect(refused.status == 429)
    let words = ["1 check is", "--max-checks", "0 (--max-queue)", "respond-async"]
    #expect(words.allSatisfy { detail(refused).contains($0) }, "\(detail(refused))")
    let seconds = refused["retry-after"].flatMap { Int($0) } ?? 0
    #expect((2...10).contains(seconds), "a turn lasted more than a second")
    #expect(detail(refused).contains("\(seconds) s"))
    first = nil
    await running.stop()
  }

  @Test func `who finds no place for a job is told how many there are`() async throws {
    let running = try RunningService { serving, _ in serving.limits.jobs = 0 }
    let reply = await running.client.post(
      "/v1/attachments",
      json: #"{"url": "http://127.0.0.1:1/"}"#,
      ["Prefer: respond-async"]
    )
    #expect(reply.status == 429)
    #expect(reply["retry-after"] == "1")
    #expect(detail(reply).contains("0 jobs"))
    #expect(detail(reply).contains("--max-jobs"))
    await running.stop()
  }

  @Test func `who asks too often is told the rate`() async throws {
    let running = try RunningService { serving, _ in serving.limits.rate = 1 }
    let replies = await (0..<20).inTurn { _ in await running.client.ask("GET", "/v1/policies") }
    let refused = try #require(replies.first { $0.status == 429 })
    #expect(refused["retry-after"] == "1")
    #expect(detail(refused).contains("1 times a second (--max-rate)"), "\(detail(refused))")
    await running.stop()
  }

  @Test(
    arguments: [
      ([], "there is no token"), (["Authorization: Basic 0123456789"], "not one bearer token"),
      (["Authorization: Bearer"], "not one bearer token"),
      (
        ["Authorization: Bearer \(token)", "Authorization: Bearer \(token)"], "not one bearer token"
      ),
      (["Authorization: Bearer 0123456789"], "none of those"),
    ]
  )
  func `who shows no good token is told why, and no token`(
    fields: [String],
    words: String
  ) async throws {
    let tokens = try AccessTokens(text: Self.token)
    let running = try RunningService { serving, _ in serving.tokens = tokens }
    let reply = await running.client.ask("GET", "/v1/policies", fields)
    #expect(reply.status == 401)
    #expect(detail(reply).contains(words), "\(detail(reply))")
    #expect(detail(reply).contains("--tokens-file"))
    #expect(!reply.text.contains("0123456789"))
    await running.stop()
  }

  @Test(
    arguments: [
      (["Host: evil.example"], "--tokens-file"),
      (["Host: localhost", "Origin: https://evil.example"], "https://evil.example"),
      (["Host: localhost", "Sec-Fetch-Site: cross-site"], "--allow-origin"),
    ]
  )
  func `who may not ask is told what would let it`(fields: [String], words: String) async throws {
    let running = try RunningService()
    let reply = try #require(await running.policies(asking: fields))
    #expect(reply.status == 403)
    #expect(detail(reply).contains(words), "\(detail(reply))")
    await running.stop()
  }
}
