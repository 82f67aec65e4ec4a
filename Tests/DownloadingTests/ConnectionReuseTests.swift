import AttachmentModel
import Downloading
import Foundation
import TestSupport
import Testing
import TimeBudgets

/// A connection that was kept brings what is asked for next, and nothing that came before that.
@Suite(.timeLimit(.minutes(1)))
struct ConnectionReuseTests {
  private static let forged = Array(
    "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 6\r\n\r\nforged".utf8
  )

  private func downloader(_ folder: TemporaryFolder) throws -> Downloader {
    var configuration = Downloader.Configuration()
    configuration.retries = 0
    configuration.addresses = AddressPolicy(allowsPrivateAddresses: true)
    return try Downloader(configuration, into: AttachmentDirectory(in: folder.path))
  }

  private func fetch(_ url: String, with downloader: Downloader) async throws -> [UInt8] {
    let download = try await downloader.download(
      in: try await downloader.slot(for: url),
      within: TimeBudget(.seconds(20)),
      screening: ScreeningRules(sizeLimit: .megabytes(1))
    )
    guard case .completed(let file?) = download.ending else { return [] }
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: file.path)))
  }

  /// Fetches three addresses of an origin one after the other, and the first once more; what the
  /// first answer leaves behind has time to arrive.
  private func visit(
    leaving excess: [UInt8]
  ) async throws -> (bodies: [[UInt8]], connections: [Int]) {
    let folder = try TemporaryFolder()
    let origin = try OriginServer()
    defer { origin.stop() }
    let elsewhere = try OriginServer()
    defer { elsewhere.stop() }
    let downloader = try downloader(folder)
    let urls = [
      origin.url(.overflowing([1, 1], with: excess), named: "a.jpg"),
      elsewhere.url(.body([0], delay: .milliseconds(100)), named: "pause.jpg"),
      origin.url(.overflowing([2, 2]), named: "b.jpg"),
      origin.url(.overflowing([3, 3]), named: "c.jpg"),
    ]
    var bodies: [[UInt8]] = []
    for url in urls { bodies.append(try await fetch(url, with: downloader)) }
    await downloader.stop()
    return (bodies, origin.requests.map(\.connection))
  }

  @Test func `an orderly connection is used again`() async throws {
    let (bodies, connections) = try await visit(leaving: [])
    #expect(bodies == [[1, 1], [0], [2, 2], [3, 3]])
    #expect(connections == [1, 1, 1])
  }

  @Test(arguments: [Self.forged, Array("x".utf8), [0, 255, 13, 10], Array("HTTP/1.1 ".utf8)])
  func `what nobody asked for is nobody's answer`(excess: [UInt8]) async throws {
    let (bodies, connections) = try await visit(leaving: excess)
    #expect(bodies == [[1, 1], [0], [2, 2], [3, 3]])
    #expect(connections == [1, 2, 2])
  }
}
