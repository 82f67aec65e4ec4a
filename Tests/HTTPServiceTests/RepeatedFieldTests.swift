import Foundation
import HTTPService
import TestSupport
import Testing

/// A request that can be read in two ways is read in none.
@Suite(.timeLimit(.minutes(1)))
struct RepeatedFieldTests {
  private static let picture = Fixture("jpeg/valid/baseline.jpg").bytes

  private func detail(_ reply: RawClient.Reply) -> String {
    reply.object["detail"] as? String ?? reply.text
  }

  @Test(
    arguments: [
      (#"{"url": "http://127.0.0.1:1/", "url": "http://127.0.0.1:2/"}"#, "url"),
      (#"{"url": "http://127.0.0.1:1/", "\u0075rl": "http://127.0.0.1:2/"}"#, "url"),
      (#"{"url": "http://127.0.0.1:1/", "quick": true, "quick": true}"#, "quick"),
      (
        #"{"url": "http://127.0.0.1:1/", "preview": [{"size": 99}, {"size": 99, "size": 50}]}"#,
        "size"
      ),
      (#"{"url": "http://127.0.0.1:1/\\\"", "a\"b": 1, "a\u0022b": 1}"#, "a\"b"),
    ]
  )
  func `a field that is there twice is refused by its name`(
    json: String,
    name: String
  ) async throws {
    let running = try RunningService()
    let reply = await running.client.post("/v1/attachments", json: json)
    #expect(reply.status == 400)
    #expect(detail(reply) == "the field '\(name)' is there twice; send one")
    let line = await running.client.ask(
      "POST",
      "/v1/batches",
      ["Content-Type: application/x-ndjson"],
      body: Array(json.utf8)
    )
    #expect(line.objects.first?["detail"] as? String == detail(reply))
    await running.stop()
  }

  @Test(
    arguments: [
      #"{"url": "http://127.0.0.1:1/?{\"url\":1,\"url\":2}", "preview": [{"size": 99}, {"size": 99}]}"#,
      #"{"preview": {"size": 99, "bytes": 9000}, "url": "http://127.0.0.1:1/\\"}"#,
    ]
  )
  func `fields that are there once are no reason to refuse`(json: String) async throws {
    let running = try RunningService()
    #expect(await running.client.post("/v1/attachments", json: json).status == 200)
    await running.stop()
  }

  @Test(arguments: [#""x": 1"#, #""x": 1, "x": 1"#])
  func `a name of marks on one letter is not told at length`(fields: String) async throws {
    let running = try RunningService()
    let name = "x" + String(repeating: "\u{301}", count: 10_000)
    let reply = await running.client.post(
      "/v1/attachments",
      json: #"{"url": "http://127.0.0.1:1/", \#(fields)}"#.replacing("x", with: name)
    )
    #expect(reply.status == 400)
    #expect(detail(reply).utf8.count < 300)
    await running.stop()
  }

  @Test func `a query parameter that is there twice is refused by its name`() async throws {
    let running = try RunningService()
    let reply = await running.client.ask(
      "POST",
      "/v1/attachments?policy=push&policy=apple",
      ["Content-Type: image/jpeg"],
      body: Self.picture
    )
    #expect(reply.status == 400)
    #expect(detail(reply) == "query parameter 'policy' is there twice; send one")
    await running.stop()
    #expect(running.files.contents == [])
  }

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16, .utf32BigEndian])
  func `a request in another encoding than UTF-8 is none`(encoding: String.Encoding) async throws {
    let running = try RunningService()
    let json = try #require(#"{"url": "http://127.0.0.1:1/"}"#.data(using: encoding))
    let reply = await running.client.ask(
      "POST",
      "/v1/attachments",
      ["Content-Type: application/json"],
      body: Array(json)
    )
    #expect(reply.status == 400)
    #expect(detail(reply).contains("no JSON in UTF-8"))
    await running.stop()
  }
}
