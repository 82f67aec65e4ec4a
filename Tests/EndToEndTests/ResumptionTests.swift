import TestSupport
import Testing

/// A body that broke off is gone on with where its bytes are certain to be the same, and only there.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct ResumptionTests {
  private typealias Behavior = OriginServer.Behavior

  /// What came of a check, and which parts were asked for: nothing for all of it.
  private struct Outcome {
    let answer: CheckAnswer
    let requests: [OriginRequest]

    var ranges: [String?] {
      requests.map { $0["Range"] }
    }
  }

  private static let picture = Fixture("jpeg/valid/baseline.jpg").bytes
  private static let strong = "\"strong\""

  /// The picture as an origin has it that can send parts.
  private static func whole(ranges: OriginRanges = .honoured, tag: String = strong) -> Behavior {
    .representation(picture, entityTag: tag, ranges: ranges)
  }

  /// The first part of a file, and then the end of the connection.
  private static func cut(_ bytes: [UInt8] = picture, tag: String = strong) -> Behavior {
    .cut(after: 1_500, of: bytes, headers: ["ETag": tag])
  }

  /// Checks an address that does one thing first and another from then on.
  private func check(_ first: Behavior = cut(), then next: Behavior) async throws -> Outcome {
    try await check { $0.url(.failing(times: 1, with: first, then: next), named: "a.jpg") }
  }

  private func check(at url: (OriginServer) -> String) async throws -> Outcome {
    let origin = try OriginServer()
    defer { origin.stop() }
    let answer = try await CheckAnswer.of([
      "--no-preview", "--sha256", "--allow-address", "127.0.0.1/32", url(origin),
    ])
    return Outcome(answer: answer, requests: origin.requests)
  }

  /// The picture came, byte for byte: with the digest that the command states for the file itself.
  private func expectPicture(_ outcome: Outcome) async throws {
    let path = Fixture("jpeg/valid/baseline.jpg").path
    let own = try await CheckAnswer.of(["--no-preview", "--sha256", path])
    let digests = [outcome.answer, own].map { $0.part("file")["sha256"] as? String }
    #expect(outcome.answer.verdict == "deliverable", "\(outcome.answer)")
    #expect(digests[0] != nil && digests[0] == digests[1])
  }

  @Test func `a cut body is gone on with`() async throws {
    let outcome = try await check(then: Self.whole())
    try await expectPicture(outcome)
    #expect(outcome.ranges == [nil, "bytes=1500-"])
    #expect(outcome.requests.last?["If-Range"] == Self.strong)
    #expect(outcome.answer.part("transfer")["received_bytes"] as? Int == Self.picture.count)
  }

  @Test(arguments: [304, 416])
  func `an origin that refuses the rest is asked for all of it`(status: Int) async throws {
    let outcome = try await check(
      then: .failing(times: 1, with: .status(status), then: .body(Self.picture))
    )
    try await expectPicture(outcome)
    #expect(outcome.ranges == [nil, "bytes=1500-", nil])
  }

  @Test func `a file that changed meanwhile is fetched anew`() async throws {
    let other = Fixture("png/valid/rgb.png").bytes
    try await expectPicture(
      try await check(Self.cut(other), then: Self.whole(tag: "\"other\""))
    )
  }

  @Test(arguments: [OriginRanges.shifted, .overlong])
  func `what is not the rest is not glued on`(ranges: OriginRanges) async throws {
    let outcome = try await check(then: Self.whole(ranges: ranges))
    try await expectPicture(outcome)
    #expect(outcome.ranges == [nil, "bytes=1500-", nil])
  }

  @Test func `less of the rest than was asked for is gone on with`() async throws {
    let outcome = try await check(
      then: .failing(times: 1, with: Self.whole(ranges: .halved), then: Self.whole())
    )
    try await expectPicture(outcome)
    let middle = 1_500 + (Self.picture.count - 1_500 + 1) / 2
    #expect(outcome.ranges == [nil, "bytes=1500-", "bytes=\(middle)-"])
  }

  @Test func `a file of which parts alone come is not judged by them`() async throws {
    let outcome = try await check(then: Self.whole(ranges: .halved))
    #expect(outcome.answer.codes == ["incomplete-body"])
  }

  @Test(arguments: ["\"other\"", "\"strong\""])
  func `a part of another file is not glued on`(tag: String) async throws {
    let outcome = try await check(
      Self.cut(Self.picture + [0]),
      then: Self.whole(ranges: .unconditional, tag: tag)
    )
    try await expectPicture(outcome)
    #expect(outcome.requests.last?["Range"] == nil)
  }

  @Test func `a part from another address is not glued on`() async throws {
    var other = Self.picture
    other[700] ^= 1
    let cut = Self.cut(other)
    let outcome = try await check { origin in
      let first = origin.url(cut, named: "a.jpg")
      let second = origin.url(Self.whole(), named: "a.jpg")
      return origin.url(
        .failing(times: 1, with: .redirect(to: first), then: .redirect(to: second)),
        named: "a.jpg"
      )
    }
    try await expectPicture(outcome)
    #expect(outcome.ranges == [nil, nil, nil, nil])
  }

  @Test func `a cut body behind a redirect is gone on with`() async throws {
    let outcome = try await check { origin in
      let destination = origin.url(
        .failing(times: 1, with: Self.cut(), then: Self.whole()),
        named: "a.jpg"
      )
      return origin.url(.redirect(to: destination), named: "a.jpg")
    }
    try await expectPicture(outcome)
    #expect(outcome.ranges == [nil, nil, nil, "bytes=1500-"])
  }

  @Test(arguments: ["W/\"weak\"", "bare"])
  func `a tag that promises too little is not relied on`(tag: String) async throws {
    let outcome = try await check(Self.cut(tag: tag), then: .body(Self.picture))
    #expect(outcome.answer.verdict == "deliverable")
    #expect(outcome.requests.last?["Range"] == nil)
  }
}
