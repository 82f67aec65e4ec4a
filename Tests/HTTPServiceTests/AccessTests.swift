import Foundation
import HTTPService
import TestSupport
import Testing

/// Who may ask for what.
@Suite(.timeLimit(.minutes(1)))
struct AccessTests {
  private static let token = "0123456789abcdef-campaigns"
  private static let keys =
    "new 000102030405060708090a0b0c0d0e0f\nold \(String(repeating: "ab", count: 32))"

  private func guarded() throws -> RunningService {
    let tokens = try AccessTokens(text: "# tests\ncampaigns \(Self.token)\nanother-token-0123\n")
    return try RunningService { serving, _ in serving.tokens = tokens }
  }

  private func status(_ running: RunningService, _ path: String, _ token: String) async -> Int? {
    await running.client.ask("GET", path, ["Authorization: \(token)"]).status
  }

  @Test func `with tokens, one of them is needed`() async throws {
    let running = try guarded()
    let reply = await running.client.ask("GET", "/v1/policies")
    #expect(reply.status == 401)
    #expect(reply.problem == "unauthorized")
    #expect(reply["www-authenticate"] != nil)
    #expect(await running.client.ask("GET", "/metrics").status == 401)
    let wrong = ["Bearer x", "Bearer \(Self.token)x", "Basic \(Self.token)", Self.token]
    #expect(
      await wrong.inTurn { await status(running, "/v1/policies", $0) } == [401, 401, 401, 401]
    )
    let right = ["Bearer \(Self.token)", "bearer another-token-0123"]
    #expect(await right.inTurn { await status(running, "/v1/policies", $0) } == [200, 200])
    #expect(await running.client.ask("GET", "/healthz").status == 200)
    #expect(await running.client.ask("GET", "/readyz").status == 200)
    await running.stop()
  }

  @Test func `a large upload without a token is refused before it is sent`() async throws {
    let running = try guarded()
    let client = try #require(RawClient(running.client.base + "/"))
    client.say(
      "POST /v1/attachments HTTP/1.1\r\nHost: localhost\r\nContent-Type: image/png\r\n"
        + "Content-Length: 40000000\r\nExpect: 100-continue\r\n\r\n"
    )
    let reply = await client.answer(patience: .seconds(5))
    #expect(reply.status == 401)
    #expect(reply.ending == .closed)
    await running.stop()
  }

  @Test(arguments: ["short", "with space and more words", "ünïcödé-0123456789"])
  func `a file of tokens that cannot be meant is refused, without its content`(text: String) {
    let error = #expect(throws: ServiceError.self) { try AccessTokens(text: "\n\(text)\n") }
    #expect(error?.message.contains("line 2") == true)
    #expect(error?.message.contains(text) == false)
  }

  @Test(arguments: ["", "\n", "# campaigns 0123456789abcdef\n \n"])
  func `a file of tokens without any is refused: it would open what it should close`(text: String) {
    let error = #expect(throws: ServiceError.self) { try AccessTokens(text: text) }
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.message.contains("no token") == true)
  }

  @Test func `without tokens nobody else is served`() {
    var configuration = HTTPService.Configuration(resultsFolder: "/tmp")
    configuration.address = "0.0.0.0"
    #expect(configuration.validate()?.contains("--tokens-file") == true)
    configuration.address = "::1"
    #expect(configuration.validate() == nil)
  }

  @Test(
    arguments: [
      ["Host: evil.example"], ["Host: 127.0.0.1.evil.example"], ["Host: 192.168.1.1"],
      ["Host: evil.com:80"], ["Host: [::2]"], ["Host: "],
      ["Host: localhost", "Origin: https://evil.example"],
      ["Host: localhost", "Sec-Fetch-Site: cross-site"], ["Host: localhost", "Origin: null"],
    ]
  )
  func `pages in a browser of this machine cannot ask`(fields: [String]) async throws {
    let running = try RunningService()
    let reply = try #require(await running.policies(asking: fields))
    #expect(reply.status == 403)
    #expect(reply["access-control-allow-origin"] == nil)
    await running.stop()
  }

  @Test(arguments: [
    "localhost", "LocalHost:8470", "127.0.0.1:80", "[::1]", "[::1]:8470", "127.9.9.9:",
  ])
  func `names of this machine are its own`(host: String) async throws {
    let running = try RunningService()
    let reply = try #require(await running.policies(asking: ["Host: \(host)"]))
    #expect(reply.status == 200)
    await running.stop()
  }

  @Test(
    arguments: [
      ["localhost", "localhost"], ["localhost", "evil.example"], ["", ""],
      ["localhost:80@evil.com"], ["evil.com:localhost"], ["[::1]evil.com"], ["[::1]:80@evil.com"],
      ["127.0.0.1:8a"], ["[::1"], ["::1"], ["[127.0.0.1]"], ["[]"], ["local host"], ["a/b"],
      ["a,b:1:2"], ["local%host"], ["http://localhost"], ["localhost\u{e4}"],
    ]
  )
  func `who names several hosts, or none that can be, is refused`(hosts: [String]) async throws {
    let running = try RunningService()
    let client = try #require(RawClient(running.client.base + "/"))
    client.say(
      "GET /healthz HTTP/1.1\r\n" + hosts.map { "Host: \($0)\r\n" }.joined()
        + "Connection: close\r\n\r\n"
    )
    let reply = await client.answer()
    #expect(reply.status == 400)
    #expect(reply.problem == "malformed-request")
    await running.stop()
  }

  @Test(arguments: ["", ":", ":80", "a_b.example:", "10.0.0.1:1", "[fe80::1]:8470", "a%20b", "x,y"])
  func `a name that can be is no reason to refuse`(host: String) async throws {
    let running = try RunningService()
    let client = try #require(RawClient(running.client.base + "/"))
    client.say("GET /healthz HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
    #expect(await client.answer().status == 200)
    await running.stop()
  }

  @Test func `pages of an allowed origin may ask and read`() async throws {
    let running = try RunningService { serving, _ in
      serving.origins = ["https://console.example"]
    }
    let fields = ["Origin: https://console.example"]
    let reply = await running.client.ask("GET", "/v1/policies", fields)
    #expect(reply.status == 200)
    #expect(reply["access-control-allow-origin"] == "https://console.example")
    let preflight = await running.client.ask("OPTIONS", "/v1/attachments", fields)
    #expect(preflight.status == 204)
    #expect(preflight["access-control-allow-methods"]?.contains("POST") == true)
    let other = await running.client.ask(
      "OPTIONS",
      "/v1/attachments",
      ["Origin: https://evil.example"]
    )
    #expect(other["access-control-allow-origin"] == nil)
    await running.stop()
  }

  @Test func `signed addresses need no token, and only as they were signed`() async throws {
    let tokens = try AccessTokens(text: Self.token)
    let signer = try URLSigner(text: Self.keys)
    let running = try RunningService { serving, _ in
      serving.tokens = tokens
      serving.signer = signer
      serving.publicURL = "https://push.example.com"
    }
    let reply = await running.client.ask(
      "POST",
      "/v1/attachments",
      ["Content-Type: image/jpeg", "Authorization: Bearer \(Self.token)"],
      body: Fixture("jpeg/valid/baseline.jpg").bytes
    )
    let link = reply.link("preview")
    #expect(link.hasPrefix("https://push.example.com/v1/attachments/"))
    let path = String(link.dropFirst("https://push.example.com".count))
    let preview = await running.client.ask("GET", path)
    #expect(preview.status == 200)
    #expect(preview["cache-control"]?.hasPrefix("public") == true)
    let forged = [
      path.replacing("expires=", with: "expires=9"), path.replacing("/preview?", with: "/content?"),
      String(path.dropLast()) + (path.hasSuffix("0") ? "1" : "0"),
      path.replacing("key=new", with: "key=old"), path.replacing("key=new", with: "key=none"),
    ]
    #expect(
      await forged.inTurn { await running.client.ask("GET", $0).status } == forged.map { _ in 403 }
    )
    #expect(await running.client.ask("GET", String(path.prefix { $0 != "?" })).status == 401)
    await running.stop()
  }

  @Test func `a key that has been replaced still verifies what it signed`() async throws {
    let signer = try URLSigner(text: "old 00112233445566778899aabbccddeeff")
    let rotated = try URLSigner(
      text: "new ffeeddccbbaa99887766554433221100\nold 00112233445566778899aabbccddeeff"
    )
    let first = try RunningService { serving, _ in serving.signer = signer }
    let reply = await first.client.ask(
      "POST",
      "/v1/attachments",
      ["Content-Type: image/jpeg"],
      body: Fixture("jpeg/valid/baseline.jpg").bytes
    )
    await first.stop()
    let second = try RunningService(results: first.results) { serving, _ in
      serving.signer = rotated
    }
    #expect(await second.client.ask("GET", reply.link("content")).status == 200)
    await second.stop()
  }

  @Test func `who asks too often is told when to come again`() async throws {
    let running = try RunningService { serving, _ in serving.limits.rate = 1 }
    // So many that even a slow machine asks faster than the rate.
    let statuses = await (0..<20).inTurn { _ in
      await running.client.ask("GET", "/v1/policies").status
    }
    #expect(statuses.first == 200)
    #expect(statuses.contains(429))
    #expect(await running.client.ask("GET", "/healthz").status == 200)
    await running.stop()
  }
}
