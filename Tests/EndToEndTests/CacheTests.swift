import Foundation
import TestSupport
import Testing

/// What was fetched is kept between runs, as far as its origin allows.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct CacheTests {
  private static let picture = Fixture("jpeg/valid/baseline.jpg").bytes
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func check(_ url: String, _ options: String...) async throws -> CheckAnswer {
    try await CheckAnswer.of(
      [
        "--no-preview", "--sha256", "--allow-address", "127.0.0.1/32", "--cache",
        folder.path(of: "cache"),
      ] + options + [url]
    )
  }

  private func use(_ answer: CheckAnswer) -> String {
    answer.part("transfer")["cache"] as? String ?? "none"
  }

  private func digest(_ answer: CheckAnswer) -> String {
    answer.part("file")["sha256"] as? String ?? ""
  }

  @Test func `a fresh answer is used without asking`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let url = origin.url(
      .body(Self.picture, type: "image/jpeg", headers: ["Cache-Control": "max-age=600"]),
      named: "a.jpg"
    )
    let first = try await check(url)
    let second = try await check(url)
    #expect(use(first) == "stored", "\(first)")
    #expect(use(second) == "hit", "\(second)")
    #expect(second.verdict == "deliverable")
    #expect(digest(first) == digest(second))
    #expect(second.part("transfer")["declared_type"] as? String == "image/jpeg")
    #expect(origin.requests.count == 1)
  }

  @Test func `the cache answers for no address that this run may not connect to`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let url = origin.url(
      .body(Self.picture, headers: ["Cache-Control": "max-age=600"]),
      named: "a.jpg"
    )
    #expect(use(try await check(url)) == "stored")
    let cache = ["--quick", "--no-preview", "--cache", folder.path(of: "cache")]
    let refused = try await CheckAnswer.of(cache + [url])
    #expect(refused.verdict == "unobtainable", "\(refused)")
    #expect(refused.codes == ["blocked-address"])
    let elsewhere = try await CheckAnswer.of(cache + ["--allow-address", "127.0.0.2/32", url])
    #expect(elsewhere.codes == ["blocked-address"], "\(elsewhere)")
    let wider = try await CheckAnswer.of(cache + ["--allow-private-addresses", url])
    #expect(use(wider) == "hit", "\(wider)")
    #expect(origin.requests.count == 1)
  }

  @Test func `an address is kept nowhere, since it may hold a token`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let url = origin.url(
      .body(Self.picture, headers: ["Cache-Control": "max-age=600"]),
      named: "a.jpg?token=confidential"
    )
    #expect(use(try await check(url)) == "stored")
    let cache = folder.path(of: "cache")
    let names = try FileManager.default.contentsOfDirectory(atPath: cache)
    #expect(!names.isEmpty)
    for name in names {
      let bytes = try Data(contentsOf: URL(filePath: "\(cache)/\(name)"))
      #expect(bytes.range(of: Data("confidential".utf8)) == nil, "\(name)")
    }
    #expect(use(try await check(url)) == "hit")
  }

  @Test func `a stale answer is asked about, and used where it is still good`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let url = origin.url(.representation(Self.picture, entityTag: "\"strong\""), named: "a.jpg")
    let first = try await check(url)
    let second = try await check(url)
    #expect(use(first) == "stored", "\(first)")
    #expect(use(second) == "revalidated", "\(second)")
    #expect(digest(first) == digest(second))
    #expect(second.verdict == "deliverable")
    #expect(second.part("transfer")["received_bytes"] as? Int == 0)
    #expect(origin.requests.last?["If-None-Match"] == "\"strong\"")
  }

  @Test func `an answer that changed takes the place of the old`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let url = origin.url(
      .failing(
        times: 1,
        with: .representation(Self.picture, entityTag: "\"one\""),
        then: .representation(Fixture("jpeg/valid/grey.jpg").bytes, entityTag: "\"two\"")
      ),
      named: "a.jpg"
    )
    let first = try await check(url)
    let second = try await check(url)
    let third = try await check(url)
    #expect(use(second) == "stored", "\(second)")
    #expect(digest(first) != digest(second))
    #expect(use(third) == "revalidated")
    #expect(digest(second) == digest(third))
  }

  @Test func `what may not be stored is not`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let url = origin.url(
      .body(Self.picture, headers: ["Cache-Control": "no-store", "ETag": "\"x\""]),
      named: "a.jpg"
    )
    #expect(use(try await check(url)) == "none")
    #expect(use(try await check(url)) == "none")
    #expect(origin.requests.count == 2)
    #expect(!folder.contents.contains { $0.hasSuffix(".content") })
  }

  @Test func `an answer to a request with credentials is not kept`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let url = origin.url(
      .body(Self.picture, headers: ["Cache-Control": "max-age=600"]),
      named: "a.jpg"
    )
    #expect(use(try await check(url, "--header", "Authorization: x")) == "none")
    #expect(use(try await check(url)) == "stored")
  }

  @Test func `the cache stays within its size`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    for _ in 0..<6 {
      let url = origin.url(
        .body(
          Self.picture + [UInt8](repeating: UInt8.random(in: 1...9), count: 10_000),
          headers: ["Cache-Control": "max-age=600"]
        ),
        named: "a.jpg"
      )
      _ = try await check(url, "--cache-bytes", "40kB")
    }
    let contents = folder.contents.filter { $0.hasSuffix(".content") }
    #expect((1...3).contains(contents.count), "\(folder.contents)")
  }

  @Test func `kept bytes that were tampered with are fetched anew`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let url = origin.url(
      .body(Self.picture, headers: ["Cache-Control": "max-age=600"]),
      named: "a.jpg"
    )
    let first = try await check(url)
    let name = try #require(folder.contents.first { $0.hasSuffix(".content") })
    try folder.write(Array(Self.picture.reversed()), to: name)
    let second = try await check(url)
    #expect(digest(first) == digest(second), "\(second)")
    #expect(use(second) == "stored")
    #expect(origin.requests.count == 2)
  }

  @Test func `a file that is no cache is a clear fault`() async throws {
    try folder.write([1], to: "cache")
    let answer = try await check("http://127.0.0.1:1/a.jpg")
    #expect(answer.run.ending == .exited(64))
    #expect(answer.run.errorOutput.contains("--cache is "))
  }
}
