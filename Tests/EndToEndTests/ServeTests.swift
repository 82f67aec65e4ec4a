import Foundation
import TestSupport
import Testing
import TimeBudgets

/// The service as those see it who start, ask and kill it.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct ServeTests {
  private static let picture = Fixture("jpeg/valid/baseline.jpg").bytes

  @Test func `a signal drains: what was begun is answered, and the status is 0`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let (results, temporary) = (try TemporaryFolder(), try TemporaryFolder())
    let served = try await ServedAffix(results: results, temporary: temporary)
    let slow = origin.url(.dripping(bytesPerSecond: 4_000, of: Self.picture), named: "a.jpg?s3cr3t")
    let client = served.client
    let asked = Task { await client.post("/v1/attachments", json: #"{"url": "\#(slow)"}"#) }
    #expect(await origin.received(1))
    served.command.send(SIGTERM)
    #expect(await served.command.said("\"draining\""))
    #expect(await client.ask("GET", "/readyz").status == 503)
    #expect(await asked.value.object["verdict"] as? String == "deliverable")
    let run = await served.command.run()
    #expect(run.ending == .exited(0), "\(run)")
    #expect(temporary.contents == [])
    #expect(served.log.contains { $0["event"] as? String == "stopped" })
    #expect(!run.errorOutput.contains("s3cr3t"))
    #expect(run.output == "")
  }

  @Test func `files that are no certificate and key are told with their options`() async throws {
    let results = try TemporaryFolder()
    try results.write(Array("no PEM\n".utf8), to: "cert.pem")
    let file = results.path(of: "cert.pem")
    let run = try await CommandRun.of(
      CommandRun.affix,
      [
        "serve", "--listen", "127.0.0.1:0", "--results", results.path(of: "results"),
        "--tls-certificate", file, "--tls-key", file,
      ]
    )
    #expect(run.ending == .exited(70), "\(run)")
    #expect(run.errorOutput.contains("invalid-certificate"))
    #expect(run.errorOutput.contains("with --tls-certificate and --tls-key"))
  }

  @Test func `a second signal stops at once`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let (results, temporary) = (try TemporaryFolder(), try TemporaryFolder())
    let served = try await ServedAffix(results: results, temporary: temporary)
    let slow = origin.url(.stalling(after: 10, of: Self.picture), named: "a.jpg")
    let client = served.client
    let asked = Task { await client.post("/v1/attachments", json: #"{"url": "\#(slow)"}"#) }
    #expect(await origin.received(1))
    served.command.send(SIGTERM)
    #expect(await served.command.said("\"draining\""))
    served.command.send(SIGTERM)
    #expect(await served.command.run().ending == .exited(143))
    _ = await asked.value
  }

  @Test func `a killed service keeps what it promised, and the next start sweeps the rest`()
    async throws
  {
    let origin = try OriginServer()
    defer { origin.stop() }
    let (results, temporary) = (try TemporaryFolder(), try TemporaryFolder())
    let first = try await ServedAffix(results: results, temporary: temporary)
    let done = await first.client.ask(
      "POST",
      "/v1/attachments",
      ["Content-Type: image/jpeg"],
      body: Self.picture
    )
    let slow = origin.url(.stalling(after: 1_000, of: Self.picture), named: "a.jpg")
    var locations: [String] = []
    for number in 0..<20 {
      let reply = await first.client.post(
        "/v1/attachments",
        json: #"{"url": "\#(slow)?\#(number)", "budget_ms": 60000}"#,
        ["Prefer: respond-async"]
      )
      locations += [reply["location"] ?? "none"]
    }
    #expect(await origin.received(6))
    first.command.send(SIGKILL)
    #expect(await first.command.run().ending == .signalled(SIGKILL))
    #expect(!temporary.contents.isEmpty)

    let second = try await ServedAffix(results: results, temporary: temporary)
    let report = (done.object["links"] as? [String: String])?["report"] ?? "none"
    #expect(await second.client.ask("GET", report).body == done.body)
    for location in locations {
      let reply = await second.client.ask("GET", location)
      #expect(reply.status == 200)
      let error = reply.object["error"] as? [String: Any]
      #expect(error?["code"] as? String == "interrupted")
      #expect((reply.object["source"] as? String)?.hasPrefix(slow) == true)
    }
    second.command.send(SIGTERM)
    #expect(await second.command.run().ending == .exited(0))
    #expect(temporary.contents == [])
  }

  @Test func `killed under load it leaves no child, no file and no promise open`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let (results, temporary) = (try TemporaryFolder(), try TemporaryFolder())
    let first = try await ServedAffix(results: results, temporary: temporary)
    let picture = Fixture("jpeg/valid/photo-1600x1200.jpg").bytes
    let client = first.client
    // Uploads that keep the children busy, and jobs of which some are done when the end comes.
    let asking = Task.detached {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            while await client.ask(
              "POST",
              "/v1/attachments?preview_size=1200",
              ["Content-Type: image/jpeg"],
              body: picture
            ).status == 200 {}
          }
        }
      }
    }
    let quick = origin.url(.body(Self.picture, type: "image/jpeg"), named: "a.jpg")
    let slow = origin.url(.stalling(after: 1_000, of: Self.picture), named: "b.jpg")
    var locations: [String] = []
    for number in 0..<24 {
      let url = number.isMultiple(of: 3) ? slow : quick
      let reply = await client.post(
        "/v1/attachments",
        json: #"{"url": "\#(url)?\#(number)", "budget_ms": 60000}"#,
        ["Prefer: respond-async"]
      )
      #expect(reply.status == 202)
      locations += [reply["location"] ?? "none"]
    }
    while await client.ask("GET", locations[1]).status == 202 {
      try await Task.sleep(for: .milliseconds(5))
    }
    let children = Processes.children(of: first.command.processID)
    #expect(!children.isEmpty)
    first.command.send(SIGKILL)
    #expect(await first.command.run().ending == .signalled(SIGKILL))
    await asking.value
    let budget = TimeBudget(.seconds(5))
    while children.contains(where: Processes.isAlive), !budget.isSpent {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(children.filter(Processes.isAlive) == [])

    let second = try await ServedAffix(results: results, temporary: temporary)
    var outcomes: [String: Int] = [:]
    for location in locations {
      let reply = await second.client.ask("GET", location)
      #expect(reply.status == 200)
      let error = reply.object["error"] as? [String: Any]
      let outcome = error?["code"] as? String ?? reply.object["verdict"] as? String ?? "none"
      outcomes[outcome, default: 0] += 1
    }
    #expect(Set(outcomes.keys) == ["deliverable", "interrupted"], "\(outcomes)")
    second.command.send(SIGTERM)
    #expect(await second.command.run().ending == .exited(0))
    #expect(temporary.contents == [])
    #expect(results.contents.filter { $0.hasSuffix(".incoming") } == [])
  }

  @Test func `systemd is told when it is ready and when it stops`() async throws {
    let (results, temporary) = (try TemporaryFolder(), try TemporaryFolder())
    let folder = try TemporaryFolder()
    let socket = try NotifySocket(at: folder.path(of: "notify"))
    let served = try await ServedAffix(
      results: results,
      temporary: temporary,
      environment: ["NOTIFY_SOCKET": folder.path(of: "notify")]
    )
    #expect(await socket.next() == "READY=1")
    #expect(await served.client.ask("GET", "/readyz").status == 200)
    served.command.send(SIGTERM)
    #expect(await socket.next() == "STOPPING=1")
    #expect(await served.command.run().ending == .exited(0))
  }

  @Test func `that decoders are not in a cage is told at the start`() async throws {
    let (results, temporary) = (try TemporaryFolder(), try TemporaryFolder())
    let served = try await ServedAffix(results: results, temporary: temporary, ["--no-sandbox"])
    #expect(await served.command.said("without a sandbox"))
    let line = served.log.first { $0["event"] as? String == "unprotected" }
    #expect(line?["level"] as? String == "warning")
    served.command.send(SIGTERM)
    let run = await served.command.run()
    #expect(run.ending == .exited(0))
    #expect(run.errorOutput.split(separator: "\n").allSatisfy { $0.hasPrefix("{") }, "\(run)")
  }

  @Test func `it does not listen where others can ask without tokens`() async throws {
    let results = try TemporaryFolder()
    let run = try await CommandRun.of(
      CommandRun.affix,
      ["serve", "--listen", "0.0.0.0:0", "--results", results.path]
    )
    #expect(run.ending == .exited(64))
    #expect(run.errorOutput.contains("--tokens-file"))
  }

  @Test(arguments: [("127.0.0.1:0", true), ("127.0.0.1:0", false), ("0.0.0.0:0", true)])
  func `a file without any token stops the start`(address: String, byOption: Bool) async throws {
    let results = try TemporaryFolder()
    let tokens = results.path(of: "tokens")
    try Data("# none yet\n".utf8).write(to: URL(fileURLWithPath: tokens))
    let run = try await CommandRun.of(
      CommandRun.affix,
      ["serve", "--listen", address, "--results", results.path]
        + (byOption ? ["--tokens-file", tokens] : []),
      environment: CommandRun.plainEnvironment
        .merging(byOption ? [:] : ["AFFIX_TOKENS_FILE": tokens]) { $1 }
    )
    #expect(run.ending == .exited(64))
    #expect(run.errorOutput.contains("no token"), "\(run)")
    #expect(run.errorOutput.contains(byOption ? "--tokens-file" : "AFFIX_TOKENS_FILE"))
  }

  @Test func `a token of the file opens it, and health needs none`() async throws {
    let (results, temporary) = (try TemporaryFolder(), try TemporaryFolder())
    let tokens = temporary.path(of: "tokens")
    try Data("backend 0123456789abcdef\n".utf8).write(to: URL(fileURLWithPath: tokens))
    let served = try await ServedAffix(
      results: results,
      temporary: temporary,
      ["--tokens-file", tokens]
    )
    #expect(await served.client.ask("GET", "/v1/codes").status == 401)
    let reply = await served.client.ask(
      "GET",
      "/v1/codes",
      ["Authorization: Bearer 0123456789abcdef"]
    )
    #expect(reply.status == 200)
    #expect(served.log.contains { $0["caller"] as? String == "backend" })
    #expect(!served.command.errorOutputSoFar.contains("0123456789abcdef"))
    let services = [
      ["--listen", "127.0.0.1:\(served.port)"], ["http://127.0.0.1:\(served.port)"],
      ["http://127.0.0.1:\(served.port)/"], ["http://127.0.0.1:\(served.port)/healthz"],
    ]
    for service in services {
      let health = try await CommandRun.of(CommandRun.affix, ["health"] + service)
      #expect(health.ending == .exited(0), "\(health)")
    }
    let elsewhere = try await CommandRun.of(
      CommandRun.affix,
      ["health", "http://127.0.0.1:\(served.port)/health"]
    )
    #expect(elsewhere.ending == .exited(1))
    served.command.send(SIGTERM)
    #expect(await served.command.run().ending == .exited(0))
    let late = try await CommandRun.of(
      CommandRun.affix,
      ["health", "--listen", "127.0.0.1:\(served.port)"]
    )
    #expect(late.ending == .exited(1))
    #expect(late.errorOutput.contains("connection-refused"))
  }

  @Test func `with a certificate it speaks TLS, and health trusts whom it is told to`() async throws
  {
    let (results, temporary) = (try TemporaryFolder(), try TemporaryFolder())
    let folder = "\(Fixture.projectFolder)/Tests/TestSupport/Certificates"
    let served = try await ServedAffix(
      results: results,
      temporary: temporary,
      ["--tls-certificate", "\(folder)/good.pem", "--tls-key", "\(folder)/good.key.pem"]
    )
    let url = "https://127.0.0.1:\(served.port)/healthz"
    let authority = "\(folder)/authority.pem"
    let trusting = try await CommandRun.of(
      CommandRun.affix,
      ["health", "--ca-file", authority, url]
    )
    #expect(trusting.ending == .exited(0), "\(trusting)")
    let wary = try await CommandRun.of(CommandRun.affix, ["health", url])
    #expect(wary.ending == .exited(1))
    #expect(wary.errorOutput.contains("tls-failed"))
    // As a probe within the service's own environment asks.
    let beside = try await CommandRun.of(
      CommandRun.affix,
      ["health", "--listen", "127.0.0.1:\(served.port)"],
      environment: CommandRun.plainEnvironment
        .merging(["AFFIX_TLS_CERTIFICATE": "\(folder)/good.pem"]) { $1 }
    )
    #expect(beside.ending == .exited(0), "\(beside)")
    let plain = try await CommandRun.of(
      CommandRun.affix,
      ["health", "--listen", "127.0.0.1:\(served.port)"]
    )
    #expect(plain.ending == .exited(1))
    #expect(plain.errorOutput.contains("--tls-certificate"), "\(plain)")
    served.command.send(SIGTERM)
    #expect(await served.command.run().ending == .exited(0))
  }

  @Test(
    arguments: [
      ("self-signed", "self-signed", 0), ("good", "good", 0), ("good", "self-signed", 1),
      ("self-signed", "good", 1), ("wrong-host", "wrong-host", 1),
    ] as [(String, String, Int32)]
  )
  func `health trusts the service's own certificate, and no other`(
    presented: String,
    given: String,
    ending: Int32
  ) async throws {
    let (results, temporary) = (try TemporaryFolder(), try TemporaryFolder())
    let folder = "\(Fixture.projectFolder)/Tests/TestSupport/Certificates"
    let served = try await ServedAffix(
      results: results,
      temporary: temporary,
      [
        "--tls-certificate", "\(folder)/\(presented).pem",
        "--tls-key", "\(folder)/\(presented).key.pem",
      ]
    )
    let certificate = ["--tls-certificate", "\(folder)/\(given).pem"]
    let places = [
      ["--listen", "127.0.0.1:\(served.port)"], ["--listen", "0.0.0.0:\(served.port)"],
      ["https://127.0.0.1:\(served.port)"],
    ]
    for place in places {
      let health = try await CommandRun.of(CommandRun.affix, ["health"] + certificate + place)
      #expect(health.ending == .exited(ending), "\(health)")
      #expect(ending == 0 || health.errorOutput.contains("tls-failed"))
      #expect(ending == 0 || health.errorOutput.contains("https://NAME:PORT"))
    }
    served.command.send(SIGTERM)
    #expect(await served.command.run().ending == .exited(0))
  }

  @Test func `half a certificate, and a port that is taken, are told`() async throws {
    let (results, temporary) = (try TemporaryFolder(), try TemporaryFolder())
    let served = try await ServedAffix(results: results, temporary: temporary)
    let taken = try await CommandRun.of(
      CommandRun.affix,
      ["serve", "--listen", "127.0.0.1:\(served.port)", "--results", results.path]
    )
    #expect(taken.ending == .exited(70))
    #expect(taken.errorOutput.contains("address-unavailable: 127.0.0.1:\(served.port) "))
    #expect(taken.errorOutput.contains("--listen"))
    let half = try await CommandRun.of(
      CommandRun.affix,
      ["serve", "--tls-key", Fixture("jpeg/valid/baseline.jpg").path, "--results", results.path]
    )
    #expect(half.ending == .exited(64))
  }
}
