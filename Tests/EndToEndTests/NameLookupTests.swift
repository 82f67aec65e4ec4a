import Glibc
import TestSupport
import Testing

/// What name servers answer is as hostile, and as broken, as what origins send.
@Suite(
  .timeLimit(.minutes(2)),
  .serialized,
  .enabled(
    if: OwnNetwork.obstacle == nil,
    "no network of one's own: \(OwnNetwork.obstacle?.description ?? "")"
  )
)
struct NameLookupTests {
  /// What a name server says of `a.test`, and what must come of each check of it, one after another.
  struct Scene: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let answers: [NameServer.Answer]
    /// `deliverable`, or the error's code.
    let outcomes: [String]
    let deadAddresses: [String]
    let options: [String]
    /// When each check must be over.
    let ceiling: Duration

    init(
      _ description: String,
      _ answers: [NameServer.Answer],
      _ outcomes: [String],
      deadAddresses: [String] = [],
      options: [String] = [],
      within ceiling: Duration = .seconds(8)
    ) {
      testDescription = description
      self.answers = answers
      self.outcomes = outcomes
      self.deadAddresses = deadAddresses
      self.options = options
      self.ceiling = ceiling
    }
  }

  private static let origin = OwnNetwork.originAddress
  private static let trap = OwnNetwork.trapAddress
  private static let unserved = OwnNetwork.unservedAddress
  private static let dead = OwnNetwork.deadAddress
  private static let picture = OriginServer.Behavior.body(
    Fixture("jpeg/valid/baseline.jpg").bytes,
    type: "image/jpeg"
  )

  /// More names than can be looked up at once: 32 by each loop, and there is one a core.
  private static let crowd = (0..<40 * sysconf(CInt(_SC_NPROCESSORS_ONLN))).map { "n\($0).test" }

  /// The phases of a transfer, which add up to its total.
  private static let phases = [
    "name_lookup_ms", "connect_ms", "tls_ms", "redirect_ms", "first_byte_ms", "body_ms", "wait_ms",
  ]

  /// Checks sources within a network in which only the trap may not be connected to.
  private func check(
    _ sources: [String],
    in network: OwnNetwork,
    _ options: [String] = []
  ) async throws -> CheckAnswer {
    let allowed = [Self.origin, Self.unserved, Self.dead, "::1"].flatMap { address in
      ["--allow-address", address]
    }
    return try await CheckAnswer.of(
      ["--no-preview", "--quick"] + allowed + options + sources,
      through: network.entrance
    )
  }

  private func expectPhases(of report: [String: Any]) {
    let transfer = report["transfer"] as? [String: Any] ?? [:]
    let times = Self.phases.compactMap { transfer[$0] as? Double }
    let total = transfer["total_ms"] as? Double ?? -1
    #expect(times.count == Self.phases.count)
    #expect(abs(times.reduce(0, +) - total) < 1, "\(transfer)")
  }

  private func play(_ scene: Scene) async throws {
    let network = try OwnNetwork(
      names: ["a.test": scene.answers],
      deadAddresses: scene.deadAddresses
    )
    let url = network.origin.url(Self.picture, named: "a.jpg", host: "a.test")
    for (index, outcome) in scene.outcomes.enumerated() {
      let answer = try await check([url], in: network, scene.options)
      #expect((answer.codes.first ?? answer.verdict) == outcome, "\(answer)")
      #expect(answer.run.elapsed < scene.ceiling, "\(answer)")
      #expect(network.names.lookups(of: "a.test") == index + 1)
      expectPhases(of: answer.report)
    }
    #expect(!network.trapWasReached)
  }

  @Test(
    arguments: [
      Scene(
        "rebinding",
        [.addresses([origin]), .addresses([trap])],
        ["deliverable", "blocked-address"]
      ),
      Scene(
        "a refused address behind an allowed one",
        [.addresses([origin, trap])],
        ["deliverable"]
      ),
      Scene(
        "a refused address before an allowed one",
        [.addresses([trap, origin])],
        ["deliverable"]
      ),
      Scene(
        "a refused IPv6 address beside an allowed one",
        [.addresses(["fd00::1", origin])],
        ["deliverable"]
      ),
      Scene(
        "a refused address behind one where nobody listens",
        [.addresses([unserved, trap])],
        ["connection-refused"],
        options: ["--retries", "0"]
      ),
      Scene(
        "a refused address before one where nobody listens",
        [.addresses([trap, unserved])],
        ["connection-refused"],
        options: ["--retries", "0"]
      ),
    ]
      + ["::ffff:127.0.0.6", "64:ff9b::7f00:6", "2002:7f00:6::1", "::127.0.0.6"].map { address in
        Scene("an IPv4 address hidden as \(address)", [.addresses([address])], ["blocked-address"])
      }
  )
  func `a refused address is never connected to, whatever it comes with`(
    scene: Scene
  ) async throws {
    try await play(scene)
  }

  @Test(arguments: [
    Scene(
      "an IPv6 address that no route leads to",
      [.addresses(["2606:4700::1", origin])],
      ["deliverable"]
    ),
    Scene("an IPv6 address that refuses", [.addresses(["::1", origin])], ["deliverable"]),
    Scene(
      "an IPv6 address that drops every packet",
      [.addresses(["::1", origin])],
      ["deliverable"],
      deadAddresses: ["::1"],
      within: .seconds(3)
    ),
    Scene(
      "an IPv4 address that drops every packet",
      [.addresses([dead, origin])],
      ["deliverable"],
      deadAddresses: [dead]
    ),
    Scene(
      "addresses of both kinds that drop every packet",
      [.addresses(["::1", dead, origin])],
      ["deliverable"],
      deadAddresses: ["::1", dead]
    ),
    Scene(
      "an IPv4 address that drops every packet, and little time",
      [.addresses([dead, origin])],
      ["deliverable"],
      deadAddresses: [dead],
      options: ["--budget", "3s"]
    ),
  ])
  func `a dead address beside a good one costs no more than time`(scene: Scene) async throws {
    try await play(scene)
  }

  @Test(arguments: [
    Scene("no such name", [.noSuchName], ["name-not-resolved"]),
    Scene("no address", [.addresses([])], ["name-not-resolved"]),
  ])
  func `a name without an address is asked for once`(scene: Scene) async throws {
    try await play(scene)
  }

  @Test func `names without an address hold up nobody else`() async throws {
    let network = try OwnNetwork(names: ["a.test": [.addresses([Self.origin])]])
    let answer = try await check(
      Self.crowd.map { "http://\($0)/a.jpg" }
        + [network.origin.url(Self.picture, named: "a.jpg", host: "a.test")],
      in: network
    )
    let verdicts = answer.reports.compactMap { $0["verdict"] as? String }
    #expect(verdicts.count == Self.crowd.count + 1)
    #expect(verdicts.count { $0 == "deliverable" } == 1)
    #expect(answer.run.elapsed < .seconds(8))
  }

  @Test(arguments: [
    (["--connect-timeout", "2s", "--retries", "0"], "connect-timed-out"),
    (["--budget", "2s"], "budget-spent"), (["--timeout", "2s"], "timed-out"),
  ])
  func `a silent name server holds up nobody else`(options: [String], code: String) async throws {
    let network = try OwnNetwork(names: ["a.test": [.silence]])
    let answer = try await check(
      [
        network.origin.url(Self.picture, named: "a.jpg", host: "a.test"),
        network.origin.url(Self.picture, named: "b.jpg"),
      ],
      in: network,
      options
    )
    #expect(answer.reports.map { $0["verdict"] as? String } == ["deliverable", "unobtainable"])
    let error = answer.reports.last?["error"] as? [String: Any]
    #expect(error?["code"] as? String == code, "\(answer)")
    let message = error?["message"] as? String
    #expect(message?.hasSuffix(", while looking up the host's name") == true, "\(answer)")
    for report in answer.reports { expectPhases(of: report) }
    #expect(answer.run.elapsed < .seconds(4), "\(answer)")
    #expect(answer.leftovers == [])
    #expect(network.names.lookups(of: "a.test") > 0)
  }

  @Test func `a hop that waits for others' look-ups says nothing of the hop before`() async throws {
    let silence = Self.crowd.map { ($0, [NameServer.Answer.silence]) }
    let network = try OwnNetwork(names: Dictionary(uniqueKeysWithValues: silence))
    let redirect = network.origin.url(
      .redirects(1, to: .redirect(to: "http://n0.test/a.jpg")),
      named: "a.jpg"
    )
    let answer = try await check(
      Self.crowd.map { "http://\($0)/a.jpg" } + [redirect],
      in: network,
      ["--budget", "1s", "--concurrency", "4096"]
    )
    let report = answer.reports.first { $0["source"] as? String == redirect } ?? [:]
    let transfer = report["transfer"] as? [String: Any] ?? [:]
    #expect(transfer["redirects"] as? Int == 2, "\(report)")
    #expect(transfer["remote_address"] == nil)
    #expect(transfer["body_ms"] as? Double == 0)
    #expect(transfer["redirect_ms"] as? Double ?? 0 > 900)
    expectPhases(of: report)
  }
}
