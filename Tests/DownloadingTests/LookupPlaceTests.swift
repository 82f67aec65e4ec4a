import AttachmentModel
import Downloading
import TestSupport
import Testing
import TimeBudgets

/// A look-up's place is taken by a look-up, and by nothing else.
@Suite(.timeLimit(.minutes(1)))
struct LookupPlaceTests {
  /// More than one loop lets look up at once.
  private static let crowd = 40

  private func fetch(_ url: String, with downloader: Downloader) async -> Download? {
    try? await downloader.download(
      in: try await downloader.slot(for: url),
      within: TimeBudget(.seconds(20)),
      screening: ScreeningRules(sizeLimit: .megabytes(1))
    )
  }

  /// Fetches one address as often at once as connections are wanted; tells how often it came.
  private func crowd(at url: String, with downloader: Downloader) async -> Int {
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<Self.crowd {
        group.addTask { await fetch(url, with: downloader) != nil }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
  }

  private func downloader(_ folder: TemporaryFolder) throws -> Downloader {
    var configuration = Downloader.Configuration()
    configuration.concurrency = Self.crowd
    configuration.perHost = Self.crowd
    configuration.retries = 0
    configuration.addresses = AddressPolicy(allowsPrivateAddresses: true)
    return try Downloader(configuration, into: AttachmentDirectory(in: folder.path))
  }

  @Test func `who goes on over an open connection looks nothing up`() async throws {
    let folder = try TemporaryFolder()
    let origin = try OriginServer()
    defer { origin.stop() }
    let downloader = try downloader(folder)
    let quick = origin.url(
      .body([1, 2, 3], delay: .milliseconds(300)),
      named: "a.jpg",
      host: "localhost"
    )
    #expect(await crowd(at: quick, with: downloader) == Self.crowd)
    let silent = origin.url(.silent, named: "b.jpg", host: "localhost")
    let waiting = Task { await crowd(at: silent, with: downloader) }
    // All of them are asked at once, though none has answered.
    #expect(await origin.received(2 * Self.crowd, within: .seconds(8)))
    waiting.cancel()
    #expect(await waiting.value == 0)
    // Those that gave up have left no place taken either.
    #expect(await crowd(at: quick, with: downloader) == Self.crowd)
    #expect(origin.requests.count == 3 * Self.crowd)
    await downloader.stop()
  }
}
