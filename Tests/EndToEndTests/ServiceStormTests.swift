import Foundation
import TestSupport
import Testing
import TimeBudgets

/// Many mixed requests at once, a tenth of them to faulty origins; `bench/service-soak` asks ten
/// thousand of a release build, and holds it to the millisecond.
@Suite(.timeLimit(.minutes(3)), .serialized)
struct ServiceStormTests {
  /// One of the requests, in the turn in which they come.
  private enum Kind: CaseIterable {
    case faulty, preview, upload, quick, rejected, operators, job, batch, again, good
  }

  private struct Outcome: Sendable {
    let kind: Kind
    let status: Int?
    let isRight: Bool
    /// Beyond what it may take.
    let overtime: Duration
  }

  private static let picture = Fixture("jpeg/valid/photo-1600x1200.jpg").bytes
  /// No ephemeral port, so that it stays nobody's.
  private static let nobody = "http://127.0.0.2:1999/"
  private static let budget: Duration = .seconds(15)
  private static let faultyBudget: Duration = .seconds(1)

  /// What asks, and whom.
  private struct Asker: Sendable {
    let client: ServiceClient
    let good: String
    let page: String
    let faulty: [String]
    /// A kept report.
    let report: String

    func ask(_ number: Int) async -> Outcome {
      let kind = Kind.allCases[number % Kind.allCases.count]
      let start = Stopwatch.system.now
      let reply = await reply(to: kind, number)
      let allowance = kind == .faulty ? faultyBudget : budget
      return Outcome(
        kind: kind,
        status: reply.status,
        isRight: isRight(reply, for: kind),
        overtime: max(.zero, Stopwatch.system.now - start - allowance)
      )
    }

    private func reply(to kind: Kind, _ number: Int) async -> RawClient.Reply {
      switch kind {
      case .faulty:
        await check(faulty[number / Kind.allCases.count % faulty.count], faultyBudget, number)
      case .preview: await check(good, budget, number, #", "preview": {"size": 320}"#)
      case .quick: await check(good, budget, number, #", "quick": true"#)
      case .rejected: await check(page, budget, number)
      case .good: await check(good, budget, number)
      case .upload:
        await client.ask(
          "POST",
          "/v1/attachments?name=a.jpg&budget_ms=15000",
          ["Content-Type: image/jpeg"],
          body: picture
        )
      case .operators: await client.ask("GET", number.isMultiple(of: 4) ? "/healthz" : "/metrics")
      case .job:
        await client.post(
          "/v1/attachments",
          json: #"{"url": "\#(good)?\#(number)"}"#,
          ["Prefer: respond-async"]
        )
      case .batch:
        await client.ask(
          "POST",
          "/v1/batches",
          ["Content-Type: application/x-ndjson"],
          body: (0..<3).flatMap { Array(#"{"url": "\#(good)?\#(number)-\#($0)"}"#.utf8) + [10] }
        )
      case .again: await client.ask("GET", report)
      }
    }

    private func check(
      _ url: String,
      _ budget: Duration,
      _ number: Int,
      _ terms: String = ""
    ) async -> RawClient.Reply {
      let budget = Int(budget / .milliseconds(1))
      return await client.post(
        "/v1/attachments",
        json: #"{"url": "\#(url)?\#(number)", "budget_ms": \#(budget)\#(terms)}"#
      )
    }

    private func isRight(_ reply: RawClient.Reply, for kind: Kind) -> Bool {
      let verdict = reply.object["verdict"] as? String
      return switch kind {
      case .faulty: verdict == "unobtainable"
      case .rejected: verdict == "rejected"
      case .preview, .quick, .upload, .good, .again: verdict == "deliverable"
      case .operators: reply.status == 200
      case .job: reply.status == 202
      case .batch: reply.text.components(separatedBy: #""verdict":"deliverable""#).count == 4
      }
    }
  }

  @Test func `each is answered in its time, and nothing is left behind`() async throws {
    let origin = try OriginServer()
    // Faults have a host of their own: their transfers fill its places.
    let other = try OriginServer(address: "127.0.0.2")
    let (results, temporary) = (try TemporaryFolder(), try TemporaryFolder())
    let served = try await ServedAffix(
      results: results,
      temporary: temporary,
      ["--allow-address", "127.0.0.2/32", "--per-host", "32"]
    )
    let good = origin.url(.body(Self.picture, type: "image/jpeg"), named: "a.jpg")
    let kept = await served.client.post("/v1/attachments", json: #"{"url": "\#(good)"}"#)
    let page = Fixture("html/mislabelled/html-named.png").bytes
    let asker = Asker(
      client: served.client,
      good: good,
      page: origin.url(.body(page, type: "text/html"), named: "b.png"),
      faulty: [
        other.url(.stalling(after: 100, of: Self.picture), named: "c.jpg"),
        other.url(.reset(after: 100, of: Self.picture), named: "d.jpg"),
        other.url(.redirectLoop()), other.url(.status(404)), "\(Self.nobody)e.jpg",
        other.url(.dripping(bytesPerSecond: 2_000, of: Self.picture), named: "f.jpg"),
      ],
      report: (kept.object["links"] as? [String: String])?["report"] ?? "none"
    )
    let before = await openFiles(served)

    let outcomes = await withTaskGroup(of: [Outcome].self) { group in
      for worker in 0..<24 {
        group.addTask {
          await stride(from: worker, to: 240, by: 24).inTurn { await asker.ask($0) }
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(outcomes.count == 240)
    #expect(outcomes.filter { !$0.isRight }.map { "\($0)" } == [])
    // A debug build on a machine that does other things may be late, but not by much.
    #expect(outcomes.filter { $0.overtime > .seconds(2) }.map { "\($0)" } == [])

    // Connections that their origin closed are let go with the next transfer.
    origin.stop()
    other.stop()
    let patience = TimeBudget(.seconds(20))
    var after = Int.max
    while after > before, !patience.isSpent {
      _ = await served.client.post("/v1/attachments", json: #"{"url": "\#(Self.nobody)"}"#)
      after = await openFiles(served)
    }
    #expect(after <= before)
    served.command.send(SIGTERM)
    #expect(await served.command.run().ending == .exited(0))
    #expect(temporary.contents == [])
  }

  private func openFiles(_ served: ServedAffix) async -> Int {
    let lines = await served.client.ask("GET", "/metrics").text.split(separator: "\n")
    return lines.first { $0.hasPrefix("process_open_fds ") }
      .flatMap { Int($0.split(separator: " ")[1]) } ?? .max
  }
}

extension Sequence {
  /// What comes of each, one after the other.
  fileprivate func inTurn<Result>(_ transform: (Element) async -> Result) async -> [Result] {
    var results: [Result] = []
    for element in self { results.append(await transform(element)) }
    return results
  }
}
