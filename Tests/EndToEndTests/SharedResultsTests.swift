import Foundation
import TestSupport
import Testing

/// Two services as processes over one folder of results.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct SharedResultsTests {
  private static let picture = Fixture("jpeg/valid/baseline.jpg").bytes

  private let results: TemporaryFolder
  private let temporary: TemporaryFolder

  init() throws {
    (results, temporary) = (try TemporaryFolder(), try TemporaryFolder())
  }

  /// A service with room for a handful of results, whose jobs outlast a slow test.
  private func start() async throws -> ServedAffix {
    try await ServedAffix(
      results: results,
      temporary: temporary,
      ["--results-bytes", "20kB", "--stall-timeout", "60s"]
    )
  }

  private func upload(to served: ServedAffix) async -> RawClient.Reply {
    await served.client.ask(
      "POST",
      "/v1/attachments",
      ["Content-Type: image/jpeg"],
      body: Self.picture
    )
  }

  private func jobs(_ count: Int, of url: String, at served: ServedAffix) async -> [String] {
    var locations: [String] = []
    for number in 0..<count {
      let reply = await served.client.post(
        "/v1/attachments",
        json: #"{"url": "\#(url)?\#(number)", "budget_ms": 60000}"#,
        ["Prefer: respond-async"]
      )
      #expect(reply.status == 202)
      locations.append(reply["location"] ?? "none")
    }
    return locations
  }

  /// What a service says of each: `pending`, an error's code, or a status.
  private func standings(of locations: [String], at served: ServedAffix) async -> Set<String> {
    var standings: Set<String> = []
    for location in locations {
      let reply = await served.client.ask("GET", location)
      let error = reply.object["error"] as? [String: Any]
      let words = error?["code"] as? String ?? reply.object["status"] as? String
      standings.insert(words ?? "\(reply.status ?? 0)")
    }
    return standings
  }

  @Test func `what one promised is pending while it lives, and keeps no room once it is killed`()
    async throws
  {
    let origin = try OriginServer()
    defer { origin.stop() }
    let slow = origin.url(.stalling(after: 10, of: Self.picture), named: "a.jpg")
    let (first, second) = (try await start(), try await start())
    let lost = await jobs(4, of: slow, at: first)
    let kept = await jobs(2, of: slow, at: second)
    #expect(await standings(of: lost, at: second) == ["pending"])
    #expect(await standings(of: kept, at: first) == ["pending"])
    let report = (await upload(to: first).object["links"] as? [String: Any])?["report"] as? String
    #expect(await second.client.ask("GET", report ?? "none").status == 200)

    first.command.send(SIGKILL)
    #expect(await first.command.run().ending == .signalled(SIGKILL))
    #expect(await standings(of: lost, at: second) == ["interrupted"])
    for _ in 0..<24 { #expect(await upload(to: second).status == 200) }
    #expect(await standings(of: lost, at: second) == ["interrupted"])

    let third = try await start()
    for _ in 0..<24 { #expect(await upload(to: third).status == 200) }
    #expect(await standings(of: lost, at: second) == ["404"])
    #expect(await standings(of: kept, at: third) == ["pending"])
    for served in [second, third] {
      served.command.send(SIGKILL)
      #expect(await served.command.run().ending == .signalled(SIGKILL))
    }
  }
}
