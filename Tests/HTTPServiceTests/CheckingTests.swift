import Downloading
import Foundation
import HTTPService
import Pipeline
import TestSupport
import Testing

/// What a back end asks for each campaign, and is answered.
@Suite(.timeLimit(.minutes(1)))
struct CheckingTests {
  private static let picture = Fixture("jpeg/valid/photo-1600x1200.jpg").bytes

  @Test func `an address is checked and its report has links that work`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let running = try RunningService()
    let url = origin.url(.body(Self.picture, type: "image/jpeg"), named: "a.jpg")
    let reply = await running.client.post("/v1/attachments", json: #"{"url": "\#(url)"}"#)
    #expect(reply.status == 200)
    #expect(reply["content-type"] == "application/json")
    #expect(reply.object["verdict"] as? String == "deliverable")
    #expect(reply.object["source"] as? String == url)
    let id = reply.object["id"] as? String ?? ""
    #expect(reply.link("report") == "/v1/attachments/\(id)")
    #expect(await running.client.ask("GET", reply.link("report")).content == reply.content)
    #expect(await running.client.ask("GET", reply.link("content")).content == Self.picture)
    let preview = await running.client.ask("GET", reply.link("preview"))
    #expect(preview["content-type"] == "image/jpeg")
    #expect((1...300_000).contains(preview.content.count))
    await running.stop()
  }

  @Test func `terms of a request are followed`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let running = try RunningService()
    let url = origin.url(.body(Self.picture, type: "image/jpeg"), named: "a.jpg")
    let reply = await running.client.post(
      "/v1/attachments",
      json: """
        {"url": "\(url)", "policy": ["apple", "mms"], "budget_ms": 9000,
         "preview": [{"size": 200}, {"size": "100x100", "bytes": 9000}]}
        """
    )
    let previews = reply.object["previews"] as? [[String: Any]] ?? []
    #expect(previews.map { $0["width"] as? Int } == [200, 100])
    let budget = reply.object["budget"] as? [String: Any]
    #expect(budget?["allowance_ms"] as? Int == 9_000)
    let policies = reply.object["policies"] as? [[String: Any]]
    #expect(policies?.map { $0["policy"] as? String } == ["apple", "mms"])
    let second = await running.client.ask("GET", "\(reply.link("report"))/previews/1")
    #expect(second.status == 200)
    #expect(second.content.count <= 9_000)
    let third = await running.client.ask("GET", "\(reply.link("report"))/previews/2")
    #expect(third.status == 404)
    #expect((third.object["detail"] as? String)?.contains("no such file of this result") == true)
    await running.stop()
  }

  @Test func `a rejected and an unobtainable attachment are good answers`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let running = try RunningService()
    let page = Fixture("html/mislabelled/html-named.png").bytes
    let urls = [
      origin.url(.body(page, type: "text/html"), named: "a.png"),
      "http://127.0.0.1:1/b.png", "ftp://127.0.0.1/c.png", "no address", "/etc/passwd",
      "file:///etc/passwd",
    ]
    let replies = await urls.inTurn {
      await running.client.post("/v1/attachments", json: #"{"url": "\#($0)"}"#)
    }
    #expect(replies.map(\.status) == urls.map { _ in 200 })
    #expect(
      replies.map { $0.object["verdict"] as? String }
        == ["rejected"] + urls.dropFirst().map { _ in "unobtainable" }
    )
    await running.stop()
  }

  @Test func `an upload is checked as bytes, under its name`() async throws {
    let running = try RunningService()
    let reply = await running.client.ask(
      "POST",
      "/v1/attachments?name=a.gif&policy=push,apple&preview_size=320",
      ["Content-Type: image/jpeg"],
      body: Self.picture
    )
    #expect(reply.status == 200)
    #expect(reply.object["source"] as? String == "a.gif")
    let warnings = reply.object["warnings"] as? [[String: Any]] ?? []
    #expect(warnings.contains { $0["code"] as? String == "extension" })
    let file = reply.object["file"] as? [String: Any]
    #expect((file?["sha256"] as? String)?.count == 64)
    #expect((reply.object["preview"] as? [String: Any])?["width"] as? Int == 320)
    await running.stop()
    #expect(running.files.contents == [])
  }

  @Test(arguments: ["image/png; q=1", "IMAGE/GIF"])
  func `an upload of another type than it says is told so, and nothing of an extension`(
    type: String
  ) async throws {
    let running = try RunningService()
    let reply = await running.client.ask(
      "POST",
      "/v1/attachments",
      ["Content-Type: \(type)"],
      body: Self.picture
    )
    #expect(reply.object["verdict"] as? String == "deliverable")
    let warnings = reply.object["warnings"] as? [[String: Any]] ?? []
    let warning = warnings.first { $0["code"] as? String == "declared-type" }
    #expect(warnings.count == 1)
    let said = type.prefix { $0 != ";" }.lowercased()
    #expect(
      warning?["message"] as? String
        == "Content-Type \(said) does not name the content, which is a JPEG"
    )
    #expect(warning?["remedy"] as? String == "send Content-Type: image/jpeg")
    await running.stop()
  }

  @Test(
    arguments: [
      ("/v1/attachments", "image/jpeg"), ("/v1/attachments", "application/json"),
      ("/v1/batches", "application/x-ndjson"),
    ]
  )
  func `a body in a coding is not taken for what it holds`(
    path: String,
    type: String
  ) async throws {
    let running = try RunningService()
    func post(_ coding: String) async -> RawClient.Reply {
      await running.client.ask(
        "POST",
        path,
        ["Content-Type: \(type)", "Content-Encoding: \(coding)"],
        body: Self.picture
      )
    }
    let reply = await post("gzip")
    #expect(reply.status == 415)
    #expect(reply.problem == "unsupported-media-type")
    #expect(reply["accept-encoding"] == "identity")
    #expect((reply.object["detail"] as? String)?.contains("gzip") == true)
    #expect(await post("identity, br").status == 415)
    #expect(await post("identity").status != 415)
    await running.stop()
    #expect(running.files.contents == [])
  }

  @Test func `the longest budget holds where a request says nothing, too`() async throws {
    let running = try RunningService { serving, _ in serving.limits.longestBudget = .seconds(2) }
    let reply = await running.client.post(
      "/v1/attachments",
      json: #"{"url": "http://127.0.0.1:1/"}"#
    )
    let budget = reply.object["budget"] as? [String: Any]
    #expect(budget?["allowance_ms"] as? Int == 2_000)
    await running.stop()
  }

  @Test func `a budget over the longest one is told it, however short that is`() async throws {
    let running = try RunningService { serving, _ in
      serving.limits.longestBudget = .milliseconds(500)
    }
    func ask(_ budget: Int) async -> RawClient.Reply {
      await running.client.post(
        "/v1/attachments",
        json: #"{"url": "http://127.0.0.1:1/", "budget_ms": \#(budget)}"#
      )
    }
    #expect(await ask(500).status == 200)
    let reply = await ask(501)
    #expect(reply.status == 422)
    #expect(
      reply.object["detail"] as? String == "'budget_ms' is 501; it must be 1 to 500 (--max-budget)"
    )
    #expect(await running.client.ask("GET", "/openapi.json").text.contains(#""maximum":500}"#))
    await running.stop()
  }

  @Test func `an upload in many small chunks is checked whole`() async throws {
    let running = try RunningService()
    let client = try #require(RawClient(running.client.base + "/"))
    client.say(
      "POST /v1/attachments HTTP/1.1\r\nHost: localhost\r\nContent-Type: image/png\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n"
    )
    for byte in Fixture("png/valid/rgb.png").bytes {
      client.say([UInt8]("1\r\n".utf8) + [byte] + [13, 10])
    }
    client.say("0\r\n\r\n")
    let reply = await client.answer(until: "\"budget\"")
    #expect(reply.status == 200)
    #expect(reply.text.contains(#""verdict":"deliverable""#))
    await running.stop()
  }

  @Test(
    arguments: [
      (#"{"url": 1}"#, 400), ("{", 400), ("[]", 400), ("", 400),
      (#"{"uri": "http://a/"}"#, 400), (#"{"url": ""}"#, 400),
      (#"{"url": "http://a/", "policy": "none"}"#, 422),
      (#"{"url": "http://a/", "policy": "/etc/passwd"}"#, 422),
      (#"{"url": "http://a/", "policy": []}"#, 400),
      (#"{"url": "http://a/", "budget_ms": 0}"#, 422),
      (#"{"url": "http://a/", "budget_ms": 120001}"#, 422),
      (#"{"url": "http://a/", "budget_ms": "1"}"#, 400),
      (#"{"url": "http://a/", "preview": {"size": 15}}"#, 422),
      (#"{"url": "http://a/", "preview": {"size": "9x9x9"}}"#, 400),
      (#"{"url": "http://a/", "preview": {"width": 9}}"#, 400),
      (#"{"url": "http://a/", "allow_private": true}"#, 400),
    ]
  )
  func `a request that makes no sense is told what is wrong`(
    json: String,
    status: Int
  ) async throws {
    let running = try RunningService()
    let code = status == 400 ? "malformed-request" : "unprocessable"
    let reply = await running.client.post("/v1/attachments", json: json)
    #expect(reply.status == status, "\(reply.text)")
    #expect(reply.problem == code)
    #expect(reply.object["type"] as? String == "/v1/codes#\(code)")
    #expect(reply.object["status"] as? Int == status)
    #expect((reply.object["detail"] as? String)?.isEmpty == false)
    await running.stop()
  }

  @Test(
    arguments: [
      ("preview_size=5", "'preview_size' is 5; each side must be 16 to 16384"),
      ("preview_size=9x9x9", "'preview_size' must be 1440 or 1440x720"),
      ("preview_size=20x5", "'preview_size' is 5; each side must be 16 to 16384"),
      ("preview_bytes=0", "'preview_bytes' is 0; it must be 1 to 50000000"),
      ("preview_bytes=1kB", "'preview_bytes' must be a whole number"),
      ("preview=true", "'preview' can only be false"),
      ("policy=", "'policy' must be 1 to 16 names, separated by commas"),
      ("budget_ms=0", "'budget_ms' is 0; it must be 1 to 120000 (--max-budget)"),
      ("budget_ms=1s", "'budget_ms' must be a whole number"),
      ("quick=1", "'quick' must be true or false"),
      ("name=a/b", "'name' must be a file's name of 1 to 255 characters"),
    ]
  )
  func `what is wrong in the query is named as it is written there`(
    query: String,
    detail: String
  ) async throws {
    let running = try RunningService()
    let reply = await running.client.ask(
      "POST",
      "/v1/attachments?\(query)",
      ["Content-Type: image/jpeg"],
      body: Self.picture
    )
    #expect(reply.problem != nil)
    #expect(reply.object["detail"] as? String == "query parameter \(detail)")
    await running.stop()
    #expect(running.files.contents == [])
  }

  @Test func `private addresses are refused whatever the request says`() async throws {
    let running = try RunningService { _, checking in
      checking.downloading.addresses.allowsPrivateAddresses = false
    }
    let reply = await running.client.post(
      "/v1/attachments",
      json: #"{"url": "http://127.0.0.1:8080/a.jpg"}"#
    )
    #expect(reply.errorCode == "blocked-address")
    await running.stop()
  }

  @Test func `the budget begins with the request, so waiting in line is charged`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let running = try RunningService { serving, _ in serving.limits.checks = 1 }
    let slow = origin.url(.stalling(after: 10, of: Self.picture), named: "a.jpg")
    let client = running.client
    let first = Task.detached {
      await client.post("/v1/attachments", json: #"{"url": "\#(slow)", "budget_ms": 1500}"#)
    }
    #expect(await origin.received(1))
    let second = await client.post(
      "/v1/attachments",
      json: #"{"url": "\#(slow)", "budget_ms": 300}"#
    )
    #expect(second.errorCode == "budget-spent")
    #expect(await first.value.status == 200)
    await running.stop()
  }

  @Test func `time in line is told as such, and adds up to what was spent`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let running = try RunningService { serving, _ in serving.limits.checks = 1 }
    let slow = origin.url(.stalling(after: 10, of: Self.picture), named: "a.jpg")
    let client = running.client
    // Its turn lasts until it goes.
    var first = RawClient(client.base + "/")
    first?.say(Self.request(#"{"url": "\#(slow)"}"#))
    #expect(await origin.received(1))
    let late = await client.post(
      "/v1/attachments",
      json: #"{"url": "\#(slow)", "budget_ms": 300}"#
    )
    #expect(late.errorCode == "budget-spent")
    #expect(late.stages["queue", default: 0] > 0)
    let second = Task.detached {
      await client.ask(
        "POST",
        "/v1/attachments",
        ["Content-Type: image/jpeg"],
        body: Self.picture
      )
    }
    while await !client.ask("GET", "/metrics").text.contains("affix_queue_length 1\n") {
      try await Task.sleep(for: .milliseconds(5))
    }
    try await Task.sleep(for: .milliseconds(100))
    first = nil
    #expect(await second.value.stages["queue", default: 0] >= 100)
    for reply in [late, await second.value] {
      let spent = (reply.object["budget"] as? [String: Any])?["spent_ms"] as? Double ?? 0
      #expect(abs(reply.stages.values.reduce(0, +) - spent) < 0.1)
    }
    await running.stop()
  }

  @Test func `jobs and lines of batches tell their time in line, and are not charged with it`()
    async throws
  {
    let origin = try OriginServer()
    defer { origin.stop() }
    let running = try RunningService { serving, _ in serving.limits.checks = 1 }
    let slow = origin.url(.stalling(after: 10, of: Self.picture), named: "a.jpg")
    let quick = origin.url(.body(Self.picture, type: "image/jpeg"), named: "b.jpg")
    let client = running.client
    // Its turn lasts until it goes.
    var first = RawClient(client.base + "/")
    first?.say(Self.request(#"{"url": "\#(slow)"}"#))
    #expect(await origin.received(1))
    let job = await client.post(
      "/v1/attachments",
      json: #"{"url": "\#(quick)"}"#,
      ["Prefer: respond-async"]
    )
    let line = Task.detached {
      await client.ask(
        "POST",
        "/v1/batches",
        ["Content-Type: application/x-ndjson"],
        body: Array(#"{"url": "\#(quick)?2"}"#.utf8)
      )
    }
    while await !client.ask("GET", "/metrics").text.contains("affix_queue_length 2\n") {
      try await Task.sleep(for: .milliseconds(5))
    }
    try await Task.sleep(for: .milliseconds(100))
    first = nil
    var report = await client.ask("GET", job.link("report"))
    while report.status == 202 {
      try await Task.sleep(for: .milliseconds(10))
      report = await client.ask("GET", job.link("report"))
    }
    for reply in [report, await line.value] {
      #expect(reply.object["verdict"] as? String == "deliverable", "\(reply.text)")
      #expect(reply.stages["queue", default: 0] >= 100, "\(reply.text)")
      let spent = (reply.object["budget"] as? [String: Any])?["spent_ms"] as? Double ?? .infinity
      #expect(reply.stages.values.reduce(0, +) - spent >= 100, "\(reply.text)")
    }
    await running.stop()
  }

  @Test func `who comes when the line is full is refused at once`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let running = try RunningService { serving, _ in
      serving.limits.checks = 1
      serving.limits.queue = 0
    }
    let slow = origin.url(
      .dripping(bytesPerSecond: 4_000, of: Self.picture),
      named: "a.jpg"
    )
    let client = running.client
    // Its turn lasts until it goes: the time that this test takes does not matter.
    var first = RawClient(client.base + "/")
    first?.say(Self.request(#"{"url": "\#(slow)"}"#))
    #expect(await origin.received(1))
    let second = await client.post("/v1/attachments", json: #"{"url": "\#(slow)"}"#)
    #expect(second.status == 429)
    #expect(second.problem == "queue-full")
    #expect(second["retry-after"] == "1")
    first = nil
    await running.stop()
  }

  private static func request(_ body: String, version: String = "HTTP/1.1") -> String {
    "POST /v1/attachments \(version)\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  @Test(arguments: ["HTTP/1.1", "HTTP/1.0"])
  func `a client that goes away ends its transfer`(version: String) async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let running = try RunningService()
    let slow = origin.url(.stalling(after: 10, of: Self.picture), named: "a.jpg")
    var client = RawClient(running.client.base + "/")
    client?.say(Self.request(#"{"url": "\#(slow)"}"#, version: version))
    #expect(await origin.received(1))
    client = nil
    #expect(await origin.becameIdle(within: .seconds(3)))
    await running.stop()
  }

  @Test func `a client that goes with its request ends its transfer`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let running = try RunningService()
    let slow = origin.url(.stalling(after: 10, of: Self.picture), named: "a.jpg")
    var client = RawClient(running.client.base + "/")
    client?.sayLast(Self.request(#"{"url": "\#(slow)"}"#))
    client = nil
    #expect(await running.client.ask("GET", "/healthz").status == 200)
    // What was begun is waited for, so this takes as long as it does.
    let clock = ContinuousClock()
    let start = clock.now
    await running.stop()
    #expect(clock.now - start < .seconds(20))
  }

  @Test(arguments: [0, 8])
  func `a client that only sends no more gets its answer`(neighbours: Int) async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let running = try RunningService()
    // Others are connected to the same thread, and silent.
    let others = (0..<neighbours).map { _ in RawClient(running.client.base + "/") }
    defer { withExtendedLifetime(others) {} }
    let slow = origin.url(.dripping(bytesPerSecond: 100_000, of: Self.picture), named: "a.jpg")
    let client = try #require(RawClient(running.client.base + "/"))
    client.sayLast(Self.request(#"{"url": "\#(slow)"}"#))
    let reply = await client.answer(patience: .seconds(10))
    // What comes before the answer is an interim one, by which those who are gone are told apart.
    #expect(reply.text.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 "), "\(reply.text)")
    #expect(reply.text.contains(#""verdict":"deliverable""#))
    #expect(reply.ending == .closed)
    await running.stop()
  }
}
