import Downloading
import Testing

@Suite(.timeLimit(.minutes(1)))
struct BodyPiecesTests {
  /// Hands a read over as libcurl does, and tells what was to be taken.
  private func taken(
    _ size: Int,
    with pieces: inout BodyPieces,
    before: Int64 = 0
  ) -> [[UInt8]] {
    let read = (0..<size).map { UInt8(truncatingIfNeeded: $0 / 7) }
    var taken: [[UInt8]] = []
    read.withUnsafeBytes { read in
      for start in stride(from: 0, to: size, by: BodyPieces.longest) {
        let end = min(start + BodyPieces.longest, size)
        let piece = UnsafeRawBufferPointer(rebasing: read[start..<end])
        if case .take(let bytes) = pieces.take(piece, of: before + Int64(size)) {
          taken.append(Array(bytes))
        }
      }
    }
    #expect(taken.flatMap(\.self) == read)
    return taken
  }

  @Test(arguments: [1, 16_383, 16_384, 16_385, 32_768, 102_400])
  func `a read is taken at once`(size: Int) {
    var pieces = BodyPieces()
    #expect(taken(size, with: &pieces).count == 1)
    #expect(pieces.isEmpty)
  }

  @Test func `one read is taken after another`() {
    var pieces = BodyPieces()
    var before: Int64 = 0
    for size in [32_768, 5, 102_400, 16_384] {
      #expect(taken(size, with: &pieces, before: before).count == 1)
      before += Int64(size)
    }
  }

  @Test func `what is not counted yet is taken piece by piece`() {
    // Of a chunked body libcurl has not counted yet what it hands over.
    var pieces = BodyPieces()
    let read = [UInt8](repeating: 1, count: BodyPieces.longest)
    read.withUnsafeBytes { read in
      for _ in 0..<3 {
        guard case .take = pieces.take(read, of: 0) else {
          Issue.record("it waits")
          return
        }
      }
    }
  }

  @Test func `what lies elsewhere is not joined`() {
    var pieces = BodyPieces()
    let read = [UInt8](repeating: 1, count: 3 * BodyPieces.longest)
    read.withUnsafeBytes { read in
      let first = UnsafeRawBufferPointer(rebasing: read[..<BodyPieces.longest])
      let third = UnsafeRawBufferPointer(rebasing: read[(2 * BodyPieces.longest)...])
      guard case .wait = pieces.take(first, of: 49_152), !pieces.isEmpty,
        case .lost = pieces.take(third, of: 49_152)
      else {
        Issue.record("it is joined")
        return
      }
    }
  }
}
