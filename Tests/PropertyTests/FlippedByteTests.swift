import AttachmentModel
import MediaSniffing
import PolicyChecking
import TestSupport
import Testing

/// Damage may make a file anything, but never stops the program.
///
/// One fixture after the other: begun all at once, each would wait for all.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct FlippedByteTests {
  /// How many bytes are read a fixture, over all its damaged copies: what bounds the time.
  private static let bytesRead = 60_000
  /// One bit low, one bit high, all of them; large files, which have many bytes alike, get few.
  private static let patterns: [UInt8] = [0x01, 0x80, 0xFF]

  @Test(arguments: Fixture.all)
  func `no flipped byte stops an inspection`(fixture: Fixture) throws {
    var bytes = fixture.bytes
    guard !bytes.isEmpty else { return }
    let places = max(8, Self.bytesRead / bytes.count / Self.patterns.count)
    // An odd stride, so that no column of a table is left out.
    let stride = max(1, bytes.count / places) | 1
    for place in Swift.stride(from: 0, to: bytes.count, by: stride) {
      let whole = bytes[place]
      for pattern in Self.patterns {
        bytes[place] = whole ^ pattern
        let inspection = try Judge.inspect(bytes)
        #expect(inspection.size.bytes == bytes.count)
      }
      _ = Judge.findings(try Judge.inspect(bytes), named: fixture, under: Judge.push)
      bytes[place] = whole
    }
  }
}
