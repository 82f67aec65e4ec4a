import Foundation
import TestSupport
import Testing

/// Large files that are only looked at are judged while they come, as if they lay there.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct SkimmedBodyTests {
  private static let options = [
    "--quick", "--no-preview", "--sha256", "--allow-address", "127.0.0.1/32",
  ]

  /// How a body comes.
  enum Way: CaseIterable {
    case atOnce
    case inChunks
    case coded
    case brokenOff

    func behavior(_ bytes: [UInt8]) -> OriginServer.Behavior {
      switch self {
      case .atOnce: .body(bytes)
      case .inChunks: .chunked(bytes)
      case .coded: .gzipped(bytes)
      case .brokenOff:
        .failing(
          times: 1,
          with: .cut(after: bytes.count / 3, of: bytes, headers: ["ETag": "\"strong\""]),
          then: .representation(bytes, entityTag: "\"strong\"")
        )
      }
    }
  }

  private func expectSame(_ left: CheckAnswer, _ right: CheckAnswer, of part: String) {
    #expect((left.part(part) as NSDictionary).isEqual(right.part(part)), "\(left) \(right)")
  }

  @Test(
    arguments: LargeMedia.allCases.map { ($0, Way.atOnce) }
      + Way.allCases.dropFirst().flatMap { [(.picture, $0), (.movieWithIndexAtEnd, $0)] }
  )
  func `what comes is judged as what lies there is`(media: LargeMedia, way: Way) async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let folder = try TemporaryFolder()
    let bytes = media.bytes
    let path = "\(folder.path)/\(media.name)"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let lying = try await CheckAnswer.of(Self.options + [path])
    let coming = try await CheckAnswer.of(
      Self.options + [origin.url(way.behavior(bytes), named: media.name)]
    )
    #expect(coming.verdict == lying.verdict)
    #expect(coming.codes == lying.codes)
    expectSame(coming, lying, of: "media")
    expectSame(coming, lying, of: "file")
    #expect(coming.part("file")["sha256"] != nil)
    #expect(coming.leftovers == [])
  }

  @Test(arguments: [LargeMedia.picture, .movie, .movieWithIndexAtEnd])
  func `pictures and movies that are only looked at take no room`(media: LargeMedia) async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let url = origin.url(.body(media.bytes), named: media.name)
    let looked = try await CheckAnswer.of(Self.options + ["--quota", "1", url])
    #expect(looked.verdict == "deliverable", "\(looked)")
    let decoded = try await CheckAnswer.of(Self.options.dropFirst() + ["--quota", "1", url])
    #expect(decoded.codes == ["storage-full"], "\(decoded)")
  }
}
