import AttachmentModel
import ContentStore
import Cryptography
import Downloading
import Foundation
import TestSupport
import Testing
import TimeBudgets

/// The cache leads nowhere that a connection would not.
@Suite(.timeLimit(.minutes(1)))
struct CachedAddressTests {
  private static let content = [UInt8](repeating: 7, count: 5_000)
  private static let fresh = OriginServer.Behavior.body(
    content,
    headers: ["Cache-Control": "max-age=600", "ETag": "\"a\""]
  )
  private static let stale = OriginServer.Behavior.representation(content, entityTag: "\"a\"")

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Fetches an address as one run does.
  private func fetch(
    _ url: String,
    under addresses: AddressPolicy = AddressPolicy(allowsPrivateAddresses: true)
  ) async throws -> TransferMetrics {
    var configuration = Downloader.Configuration()
    configuration.retries = 0
    configuration.cacheFolder = folder.path(of: "cache")
    configuration.addresses = addresses
    let downloader = try Downloader(configuration, into: AttachmentDirectory(in: folder.path))
    do {
      let download = try await downloader.download(
        in: try await downloader.slot(for: url),
        within: TimeBudget(.seconds(20)),
        screening: ScreeningRules(sizeLimit: .megabytes(1))
      )
      await downloader.stop()
      return download.metrics
    } catch {
      await downloader.stop()
      throw error
    }
  }

  /// Changes what the cache's record of an address says.
  private func rewriteRecord(
    of url: String,
    _ change: (inout [String: Any]) -> Void
  ) throws {
    let store = try ContentStore(at: folder.path(of: "cache"), quotaBytes: 1_000_000)
    let hasher = SHA256Hasher()
    hasher.update(url.utf8)
    let entry = try #require(try store.entry(for: hasher.finalize().hexadecimal))
    let object = try JSONSerialization.jsonObject(with: Data(entry.metadata))
    var record = try #require(object as? [String: Any])
    change(&record)
    let metadata = [UInt8](try JSONSerialization.data(withJSONObject: record))
    #expect(try store.updateMetadata(of: entry, to: metadata))
  }

  @Test func `a copy from an address that may not be connected to any more is refused`()
    async throws
  {
    let origin = try OriginServer()
    defer { origin.stop() }
    let url = origin.url(Self.fresh, named: "a.jpg")
    #expect(try await fetch(url).cache == .stored)
    do {
      let metrics = try await fetch(url, under: AddressPolicy())
      Issue.record("fetched: \(String(describing: metrics.cache))")
    } catch let error as DownloadError {
      #expect(error.code == .blockedAddress)
    }
    #expect(try await fetch(url).cache == .hit)
    #expect(origin.requests.count == 1)
  }

  @Test(arguments: ["127.0.0.1/32", "127.0.0.0/8", "0.0.0.0/0"])
  func `a copy is used by whoever may connect to where it came from`(network: String) async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let url = origin.url(Self.fresh, named: "a.jpg")
    #expect(try await fetch(url).cache == .stored)
    let addresses = AddressPolicy(allowedNetworks: [try #require(AddressRange(network))])
    #expect(try await fetch(url, under: addresses).cache == .hit)
  }

  @Test func `a record without an address is fetched anew, and then has one`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let url = origin.url(Self.fresh, named: "a.jpg")
    _ = try await fetch(url)
    try rewriteRecord(of: url) { $0["remoteAddress"] = nil }
    #expect(try await fetch(url).cache == .stored)
    #expect(try await fetch(url).cache == .hit)
    #expect(origin.requests.count == 2)
  }

  @Test(arguments: ["224.0.0.1", "::ffff:224.0.0.1", "127.0.0.1:80", ""])
  func `neither is a copy from elsewhere used, nor asked about`(address: String) async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    // Whoever answers now may not be who gave the copy: his 304 must not bring it out.
    for behavior in [Self.fresh, Self.stale] {
      let url = origin.url(behavior, named: "a.jpg")
      _ = try await fetch(url)
      try rewriteRecord(of: url) { $0["remoteAddress"] = address }
      #expect(try await fetch(url).cache == .stored)
      #expect(origin.requests.last?["If-None-Match"] == nil)
    }
  }

  @Test func `a copy that was found to be still good keeps its address`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let url = origin.url(Self.stale, named: "a.jpg")
    #expect(try await fetch(url).cache == .stored)
    for _ in 0..<3 { #expect(try await fetch(url).cache == .revalidated) }
    #expect(origin.requests.count == 4)
  }
}
