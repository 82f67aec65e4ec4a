import TestSupport
import Testing

/// What comes over HTTP/2 is judged as what comes over HTTP/1.1.
@Suite(.timeLimit(.minutes(1)), .serialized)
struct MultiplexingTests {
  /// Around what libcurl reads at once: few transfers have large buffers, many have small ones.
  private static let sizes = [
    16_000, 16_200, 16_383, 16_384, 16_385, 24_400, 24_576, 33_000, 102_200, 102_400, 102_401,
  ]

  /// A picture of a number of bytes that do not get fewer by compression.
  private static func picture(of size: Int) -> [UInt8] {
    let picture = Fixture("jpeg/valid/baseline.jpg").bytes
    var random = SystemRandomNumberGenerator()
    var comments: [UInt8] = []
    while picture.count + comments.count < size {
      let count = min(size - picture.count - comments.count, 60_000)
      comments += [0xFF, 0xFE, UInt8((count - 2) >> 8), UInt8((count - 2) & 0xFF)]
      comments += (4..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }
    return picture.prefix(2) + comments + picture.dropFirst(2)
  }

  @Test(arguments: [16, 200], [false, true])
  func `every answer ends, whatever its size`(width: Int, isCoded: Bool) async throws {
    let files = Self.sizes.map { ("\($0).jpg", Self.picture(of: $0)) }
    let origin = try await MultiplexingOrigin(Dictionary(uniqueKeysWithValues: files))
    defer { origin.stop() }
    let sources = (0..<10).flatMap { round in
      files.map { origin.url("\($0.0)?\(round)", coded: isCoded) }
    }
    let answer = try await CheckAnswer.of(
      [
        "--no-preview", "--allow-address", "127.0.0.1/32", "--ca-file",
        origin.certificateAuthorityPath, "--concurrency", "\(width)", "--per-host", "\(width)", "-",
      ],
      input: .bytes(Array(sources.joined(separator: "\n").utf8))
    )
    #expect(answer.run.ending == .exited(0), "\(answer)")
    #expect(answer.reports.count == sources.count)
    for report in answer.reports {
      let transfer = report["transfer"] as? [String: Any]
      #expect(transfer?["http_version"] as? String == "2")
      #expect(transfer?["retries"] as? Int == 0)
    }
    #expect(answer.leftovers == [])
  }

  /// One alone: nothing else that comes could wake it.
  @Test(arguments: sizes)
  func `an answer alone on its connection ends`(size: Int) async throws {
    let origin = try await MultiplexingOrigin(["a.jpg": Self.picture(of: size)])
    defer { origin.stop() }
    let answer = try await CheckAnswer.of([
      "--no-preview", "--allow-address", "127.0.0.1/32", "--ca-file",
      origin.certificateAuthorityPath, "--concurrency", "200", "--retries", "0",
      origin.url("a.jpg", coded: true),
    ])
    #expect(answer.verdict == "deliverable", "\(answer)")
    #expect(answer.part("media")["size_bytes"] as? Int == size)
  }
}
