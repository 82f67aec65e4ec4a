import Foundation
import HTTPService
import Observability
import PolicyChecking
import TestSupport
import Testing

/// What operators and their machines ask.
@Suite(.timeLimit(.minutes(1)))
struct OperationTests {
  @Test func `the tables are those that reports refer to`() async throws {
    let running = try RunningService()
    let policies = await running.client.ask("GET", "/v1/policies").list
    #expect(policies.contains { $0["policy"] as? String == "apple" })
    let codes = await running.client.ask("GET", "/v1/codes").list
    let kinds = Set(codes.compactMap { $0["kind"] as? String })
    #expect(kinds == ["violation", "warning", "error", "preview", "problem"])
    #expect(codes.contains { $0["code"] as? String == "interrupted" })
    #expect(await running.client.ask("GET", "/version").object["version"] as? String == "test")
    await running.stop()
  }

  @Test func `each policy is listed once, the configured one in place of the built-in`()
    async throws
  {
    let apple = try #require(AttachmentPolicy.builtIn("apple"))
    let text = String(decoding: apple.json, as: UTF8.self).replacing(apple.title, with: "Ours")
    let mine = text.replacing("\"apple\"", with: "\"mine\"")
    let configured =
      try [#require(AttachmentPolicy.builtIn("push"))]
      + [text, mine].map { try AttachmentPolicy(json: Array($0.utf8)) }
    let running = try RunningService { serving, _ in serving.policies = configured }
    let policies = await running.client.ask("GET", "/v1/policies").list
    let names = policies.compactMap { $0["policy"] as? String }
    #expect(names == AttachmentPolicy.builtInNames + ["mine"])
    let listed = policies.first { $0["policy"] as? String == "apple" }
    #expect(listed?["title"] as? String == "Ours")
    await running.stop()
  }

  @Test(
    arguments: [
      ("GET", "/nowhere", 404, "not-found"), ("GET", "/v1/policies/", 404, "not-found"),
      ("DELETE", "/v1/policies", 405, "method-not-allowed"),
      ("PATCH", "/v1/attachments", 405, "method-not-allowed"),
      ("GET", "/v1/%zz", 400, "malformed-request"), ("GET", "/v1/../x", 400, "malformed-request"),
      ("GET", "/%00", 400, "malformed-request"),
    ]
  )
  func `what there is not is a problem`(
    method: String,
    path: String,
    status: Int,
    code: String
  ) async throws {
    let running = try RunningService()
    let reply = await running.client.ask(method, path)
    #expect(reply.status == status, "\(reply.text)")
    #expect(reply.problem == code)
    #expect((status == 405) == (reply["allow"] != nil))
    await running.stop()
  }

  @Test(arguments: ["multipart/form-data; boundary=x", "application/x-www-form-urlencoded", ""])
  func `forms are not read`(type: String) async throws {
    let running = try RunningService()
    let fields = type.isEmpty ? [] : ["Content-Type: \(type)"]
    let reply = await running.client.ask("POST", "/v1/attachments", fields, body: [1, 2, 3])
    #expect(reply.status == 415)
    let claim = type.isEmpty ? "without a Content-Type" : "as '\(type.prefix { $0 != ";" })'"
    #expect((reply.object["detail"] as? String)?.contains(claim) == true, "\(reply.text)")
    await running.stop()
  }

  @Test func `a request's own identifier comes back, where logs can take it`() async throws {
    let running = try RunningService()
    let named = await running.client.ask("GET", "/healthz", ["X-Request-ID: campaign-7.a_B"])
    #expect(named["x-request-id"] == "campaign-7.a_B")
    let odd = await running.client.ask("GET", "/healthz", ["X-Request-ID: a b\"c"])
    #expect(odd["x-request-id"].map { $0.count == 16 } == true)
    await running.stop()
  }

  @Test(arguments: ["/healthz", "/v1/policies", "/nowhere", "/openapi.json"])
  func `security fields are on every answer`(path: String) async throws {
    let running = try RunningService()
    let reply = await running.client.ask("GET", path)
    #expect(reply["x-content-type-options"] == "nosniff")
    #expect(reply["content-security-policy"] != nil)
    #expect(reply["cache-control"] == "no-store")
    #expect(reply["access-control-allow-origin"] == nil)
    await running.stop()
  }

  @Test func `a drain refuses new work and finishes what there is`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let pipe = Pipe()
    let log = StructuredLog(descriptor: pipe.fileHandleForWriting.fileDescriptor, least: .warning)
    let running = try RunningService(log: log)
    let picture = Fixture("jpeg/valid/baseline.jpg").bytes
    let slow = origin.url(.dripping(bytesPerSecond: 4_000, of: picture), named: "a.jpg")
    let client = running.client
    let first = Task.detached {
      await client.post("/v1/attachments", json: #"{"url": "\#(slow)"}"#)
    }
    #expect(await origin.received(1))
    let drained = Task.detached { await running.service.drain() }
    while await client.ask("GET", "/readyz").status == 200 {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(await client.ask("GET", "/readyz").problem == "draining")
    #expect(await client.ask("GET", "/healthz").status == 200)
    let second = await client.post("/v1/attachments", json: #"{"url": "\#(slow)"}"#)
    #expect(second.status == 503)
    #expect(second["retry-after"] != nil)
    #expect(await first.value.object["verdict"] as? String == "deliverable")
    await drained.value
    #expect(RawClient(client.base + "/") == nil)
    await running.stop()
    try pipe.fileHandleForWriting.close()
    let lines = try pipe.fileHandleForReading.readToEnd() ?? Data()
    #expect(String(decoding: lines, as: UTF8.self) == "")
  }

  @Test func `metrics count what was done`() async throws {
    let running = try RunningService()
    _ = await running.client.ask(
      "POST",
      "/v1/attachments?name=a.jpg",
      ["Content-Type: image/jpeg"],
      body: Fixture("jpeg/valid/baseline.jpg").bytes
    )
    let reply = await running.client.ask("GET", "/metrics")
    #expect(reply["content-type"]?.hasPrefix("text/plain; version=0.0.4") == true)
    let lines = String(decoding: reply.content, as: UTF8.self).split(separator: "\n")
    #expect(lines.contains(#"affix_checks_total{verdict="deliverable"} 1"#))
    #expect(lines.contains(#"affix_previews_total{outcome="rendered"} 1"#))
    #expect(lines.contains(#"affix_build_info{version="test"} 1"#))
    let request =
      #"affix_http_requests_total{method="POST",route="/v1/attachments",status="200"} 1"#
    #expect(lines.contains { $0 == request })
    #expect(lines.contains { $0.hasPrefix("process_open_fds ") })
    #expect(lines.contains("affix_workers_busy 0"))
    #expect(lines.contains("affix_workers_limit 2"))
    #expect(lines.contains("affix_decoders_limit 0"))
    #expect(lines.contains(#"affix_decoder_endings_total{reason="crashed"} 0"#))
    await running.stop()
  }

  @Test func `the OpenAPI document describes every route`() async throws {
    let running = try RunningService()
    let document = await running.client.ask("GET", "/openapi.json").object
    #expect(document["openapi"] as? String == "3.1.0")
    let paths = document["paths"] as? [String: [String: Any]] ?? [:]
    #expect(paths.count >= 11)
    #expect(paths["/v1/attachments"]?["post"] != nil)
    #expect(paths["/v1/attachments/{id}"]?.keys.sorted() == ["delete", "get"])
    await running.stop()
  }
}
