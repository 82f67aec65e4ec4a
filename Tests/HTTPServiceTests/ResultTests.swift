import AttachmentModel
import Downloading
import Foundation
import HTTPService
import Pipeline
import TestSupport
import Testing

/// Reports, files and previews are there until their time is over, and served as files are.
@Suite(.timeLimit(.minutes(1)))
struct ResultTests {
  private static let picture = Fixture("jpeg/valid/baseline.jpg").bytes

  private func upload(_ running: RunningService, _ fields: [String] = []) async -> RawClient.Reply {
    await running.client.ask(
      "POST",
      "/v1/attachments",
      ["Content-Type: image/jpeg"] + fields,
      body: Self.picture
    )
  }

  @Test func `what could not be stored is not linked to, and no job waits for it`() async throws {
    let running = try RunningService { serving, _ in
      serving.resultsQuota = ByteCount(2_000)
    }
    let answer = await upload(running)
    #expect(answer.status == 200)
    #expect(answer.object["verdict"] as? String == "deliverable")
    let links = try #require(answer.object["links"] as? [String: Any])
    #expect(links.isEmpty, "\(links)")
    let job = await upload(running, ["Prefer: respond-async"])
    #expect(job.status == 202)
    var reply = job
    for _ in 0..<100 where reply.status == 202 {
      try await Task.sleep(for: .milliseconds(50))
      reply = await running.client.ask("GET", job.link("report"))
    }
    #expect(reply.status == 200)
    #expect(reply.errorCode == "storage-full")
    await running.stop()
  }

  @Test func `what is deleted while it is stored does not come back`() async throws {
    let running = try RunningService()
    // Several at once: the job, which is told as well, may be the one that removes it.
    let deletions = await withTaskGroup(of: [(job: String, status: Int?)].self) { group in
      for lane in 0..<6 {
        group.addTask {
          await (0..<15).inTurn { attempt in
            let job = await upload(running, ["Prefer: respond-async"]).link("report")
            try? await Task.sleep(for: .milliseconds((lane + attempt * 2) % 30))
            return (job, await running.client.ask("DELETE", job).status)
          }
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(Set(deletions.map(\.status)) == [204])
    try await Task.sleep(for: .milliseconds(300))
    let statuses = await deletions.inTurn { await running.client.ask("GET", $0.job).status }
    #expect(Set(statuses) == [404], "\(statuses)")
    await running.stop()
  }

  @Test func `a kept file has validators, and conditions are honoured`() async throws {
    let running = try RunningService()
    let content = await upload(running).link("content")
    let whole = await running.client.ask("GET", content)
    let tag = try #require(whole["etag"])
    #expect(whole.content == Self.picture)
    #expect(whole["content-type"] == "image/jpeg")
    #expect(whole["cache-control"]?.hasPrefix("private, max-age=") == true)
    let statuses = await [tag, "W/\(tag)", "\"x\", \(tag)", "*", "\"x\""].inTurn {
      await running.client.ask("GET", content, ["If-None-Match: \($0)"]).status
    }
    #expect(statuses == [304, 304, 304, 304, 200])
    let head = await running.client.ask("HEAD", content)
    #expect(head.status == 200)
    #expect(head["content-length"] == String(Self.picture.count))
    #expect(head.body.isEmpty)
    let part = await running.client.ask("HEAD", content, ["Range: bytes=0-9"])
    #expect(part.status == 200)
    #expect(part["content-length"] == String(Self.picture.count))
    await running.stop()
  }

  @Test func `who asks for a file as it was gets no other`() async throws {
    let running = try RunningService()
    let content = await upload(running).link("content")
    let tag = try #require(await running.client.ask("GET", content)["etag"])
    let statuses = await [tag, "\"x\", \(tag)", "*", "\"x\"", "W/\(tag)", "\"x,\(tag.dropFirst())"]
      .inTurn { await running.client.ask("GET", content, ["If-Match: \($0)"]).status }
    #expect(statuses == [200, 200, 200, 412, 412, 412])
    let refused = await running.client.ask("GET", content, ["If-Match: \"x\""])
    #expect(refused.problem == "precondition-failed")
    await running.stop()
  }

  @Test func `a report has a validator, and is deleted only as it was seen`() async throws {
    let running = try RunningService()
    let report = await upload(running).link("report")
    let tag = try #require(await running.client.ask("GET", report)["etag"])
    let again = await running.client.ask("GET", report, ["If-None-Match: \(tag)"])
    #expect(again.status == 304)
    #expect(again.body.isEmpty)
    #expect(await running.client.ask("DELETE", report, ["If-Match: \"x\""]).status == 412)
    #expect(await running.client.ask("DELETE", report, ["If-None-Match: *"]).status == 412)
    #expect(await running.client.ask("GET", report).status == 200)
    #expect(await running.client.ask("DELETE", report, ["If-Match: \(tag)"]).status == 204)
    await running.stop()
  }

  @Test(
    arguments: [
      ("bytes=0-9", 206, 0, 10), ("bytes=10-", 206, 10, .max), ("bytes=-5", 206, -5, .max),
      ("bytes=0-999999999", 206, 0, .max), ("bytes=5-4", 200, 0, .max),
      ("bytes=a-b", 200, 0, .max), ("bytes=0-1,3-4", 200, 0, .max), ("items=0-1", 200, 0, .max),
      ("bytes=0-99999999999999999999", 206, 0, .max),
      ("bytes=-99999999999999999999", 206, 0, .max), ("bytes=-", 200, 0, .max),
      ("BYTES=0-9", 206, 0, 10), ("bytes=00000000000000000000000-9", 206, 0, 10),
    ] as [(String, Int, Int, Int)]
  )
  func `one range is served`(field: String, status: Int, start: Int, end: Int) async throws {
    let running = try RunningService()
    let content = await upload(running).link("content")
    let reply = await running.client.ask("GET", content, ["Range: \(field)"])
    #expect(reply.status == status)
    let count = Self.picture.count
    #expect(
      reply.content == Array(Self.picture[(start < 0 ? count + start : start)..<min(end, count)])
    )
    await running.stop()
  }

  @Test func `a range outside the file is refused, with the size`() async throws {
    let running = try RunningService()
    let content = await upload(running).link("content")
    for range in [
      "99999999-", "99999999999999999999-", "99999999999999999998-99999999999999999999",
    ] {
      let reply = await running.client.ask("GET", content, ["Range: bytes=\(range)"])
      #expect(reply.status == 416, "\(range)")
      #expect(reply["content-range"] == "bytes */\(Self.picture.count)")
    }
    let stale = await running.client.ask("GET", content, ["Range: bytes=0-1", "If-Range: \"x\""])
    #expect(stale.status == 200)
    await running.stop()
  }

  @Test func `what is no media is served as a download of no type`() async throws {
    let running = try RunningService()
    let reply = await running.client.ask(
      "POST",
      "/v1/attachments",
      ["Content-Type: text/html"],
      body: Fixture("html/mislabelled/html-named.png").bytes
    )
    let content = await running.client.ask("GET", reply.link("content"))
    #expect(content["content-type"] == "application/octet-stream")
    #expect(content["content-disposition"] == "attachment")
    await running.stop()
  }

  @Test func `a deleted result is gone with its files`() async throws {
    let running = try RunningService()
    let reply = await upload(running)
    #expect(await running.client.ask("DELETE", reply.link("report")).status == 204)
    let statuses = await ["report", "content", "preview"].inTurn {
      await running.client.ask("GET", reply.link($0)).status
    }
    #expect(statuses == [404, 404, 404])
    #expect(await running.client.ask("DELETE", reply.link("report")).status == 404)
    await running.stop()
  }

  @Test func `results are found again by the next process`() async throws {
    let first = try RunningService()
    let reply = await upload(first)
    await first.stop()
    let second = try RunningService(results: first.results)
    #expect(await second.client.ask("GET", reply.link("report")).content == reply.content)
    #expect(await second.client.ask("GET", reply.link("content")).content == Self.picture)
    await second.stop()
  }

  @Test func `results die when their time is over`() async throws {
    let running = try RunningService { serving, _ in serving.lifetime = .seconds(1) }
    let reply = await upload(running)
    #expect(reply.status == 200)
    while await running.client.ask("GET", reply.link("report")).status == 200 {
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(await running.client.ask("GET", reply.link("content")).status == 404)
    await running.stop()
  }

  @Test func `without content only reports and previews are kept`() async throws {
    let running = try RunningService { serving, _ in serving.keepsContent = false }
    let reply = await upload(running)
    #expect(reply.link("content") == "none")
    #expect(await running.client.ask("GET", "\(reply.link("report"))/content").status == 404)
    #expect(await running.client.ask("GET", reply.link("preview")).status == 200)
    await running.stop()
  }

  @Test func `a job is accepted, and found finished at its location`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let running = try RunningService()
    let url = origin.url(.dripping(bytesPerSecond: 20_000, of: Self.picture), named: "a.jpg")
    let accepted = await running.client.post(
      "/v1/attachments",
      json: #"{"url": "\#(url)"}"#,
      ["Prefer: respond-async"]
    )
    #expect(accepted.status == 202)
    #expect(accepted["preference-applied"] == "respond-async")
    let location = try #require(accepted["location"])
    #expect(accepted.link("report") == location)
    var reply = await running.client.ask("GET", location)
    while reply.status == 202 {
      #expect(reply.object["status"] as? String == "pending")
      try await Task.sleep(for: .milliseconds(10))
      reply = await running.client.ask("GET", location)
    }
    #expect(reply.object["verdict"] as? String == "deliverable")
    #expect(reply.object["id"] as? String == accepted.object["id"] as? String)
    await running.stop()
  }

  @Test func `a job of another process is pending while that one lives, then interrupted`()
    async throws
  {
    let origin = try OriginServer()
    defer { origin.stop() }
    let first = try RunningService()
    let second = try RunningService(results: first.results)
    let slow = origin.url(.stalling(after: 10, of: Self.picture), named: "a.jpg")
    let job = await first.client.post(
      "/v1/attachments",
      json: #"{"url": "\#(slow)", "budget_ms": 60000}"#,
      ["Prefer: respond-async"]
    )
    #expect(await origin.received(1))
    let pending = await second.client.ask("GET", job.link("report"))
    #expect(pending.status == 202)
    #expect(pending.object["status"] as? String == "pending")
    #expect(
      await second.client.ask("GET", "\(job.link("report"))/content").problem == "not-finished"
    )
    let end = Task { await first.stop() }
    end.cancel()
    await end.value
    let interrupted = await second.client.ask("GET", job.link("report"))
    #expect(interrupted.status == 200)
    #expect(interrupted.errorCode == "interrupted")
    await second.stop()
  }

  @Test func `a job is not forgotten, however much is stored before it is done`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let running = try RunningService { serving, checking in
      serving.resultsQuota = ByteCount(12_000)
      // The job is not done before this test is, however slow that is.
      checking.downloading.stallTimeout = .seconds(60)
    }
    let slow = origin.url(.stalling(after: 10, of: Self.picture), named: "a.jpg")
    let job = await running.client.post(
      "/v1/attachments",
      json: #"{"url": "\#(slow)"}"#,
      ["Prefer: respond-async"]
    )
    var first = RawClient.Reply()
    for number in 0..<24 {
      let reply = await upload(running)
      if number == 0 { first = reply }
    }
    #expect(await running.client.ask("GET", first.link("report")).status == 404)
    #expect(await running.client.ask("GET", job.link("report")).status == 202)
    #expect(await running.client.ask("DELETE", job.link("report")).status == 204)
    await running.stop()
  }

  @Test func `a job whose report cannot be stored keeps no room from others`() async throws {
    let running = try RunningService { serving, _ in serving.resultsQuota = ByteCount(52_000) }
    // Its report has the address as it was written and as it was asked for: too long a record.
    let address = "http://127.0.0.1:65535/" + String(repeating: "\u{1F4F7}", count: 4_088)
    for _ in 0..<3 {
      let job = await running.client.post(
        "/v1/attachments",
        json: #"{"url": "\#(address)"}"#,
        ["Prefer: respond-async"]
      )
      #expect(job.status == 202)
      var reply = job
      for _ in 0..<200 where reply.status == 202 {
        try await Task.sleep(for: .milliseconds(20))
        reply = await running.client.ask("GET", job.link("report"))
      }
      #expect(reply.errorCode == "storage-full")
    }
    #expect(await upload(running).link("report") != "none")
    await running.stop()
  }

  @Test func `results are kept again after their folder was removed`() async throws {
    let running = try RunningService()
    let before = await upload(running)
    running.results.remove()
    #expect(await running.client.ask("GET", before.link("report")).status == 404)
    running.results.remove()
    let first = await upload(running)
    #expect(first.object["verdict"] as? String == "deliverable")
    let second = await upload(running)
    #expect(await running.client.ask("GET", second.link("report")).content == second.content)
    #expect(await running.client.ask("GET", second.link("content")).content == Self.picture)
    await running.stop()
  }

  @Test func `more jobs than there may be are refused`() async throws {
    let running = try RunningService { serving, _ in serving.limits.jobs = 0 }
    let reply = await upload(running, ["Prefer: respond-async"])
    #expect(reply.status == 429)
    #expect(reply.problem == "queue-full")
    await running.stop()
    #expect(running.files.contents == [])
  }

  @Test(arguments: ["/v1/attachments/none", "/v1/attachments/a%2Fb", "/v1/attachments/A/content"])
  func `what nobody knows is not found`(path: String) async throws {
    let running = try RunningService()
    let reply = await running.client.ask("GET", path)
    #expect(reply.status == 404)
    #expect(reply.problem == "not-found")
    await running.stop()
  }
}
