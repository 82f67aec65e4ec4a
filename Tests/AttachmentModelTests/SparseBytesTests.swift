import AttachmentModel
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SparseBytesTests {
  /// Zeros stand for gaps.
  private func content(_ text: [UInt8]) -> SparseBytes {
    var content = SparseBytes()
    for byte in text {
      if byte == 0 {
        content.skip(1)
      } else {
        // Invariant: the buffer lives as long as the call.
        withUnsafeBytes(of: byte) { content.append($0) }
      }
    }
    return content
  }

  @Test(
    arguments: [
      [], [1], [0], [1, 2, 0, 0, 3], [0, 1, 0, 2, 0], [0, 0, 1, 2, 3], [1, 0, 2, 0, 3, 0, 4],
    ] as [[UInt8]]
  )
  func `what was left out reads as zeros`(bytes: [UInt8]) {
    let content = content(bytes)
    #expect(content.size == bytes.count)
    #expect(content.kept == bytes.filter { $0 > 0 })
    #expect(content.isWhole == !bytes.contains(0))
    for start in 0...bytes.count {
      for end in start...bytes.count {
        #expect(content.bytes(in: Int64(start)..<Int64(end)) == Array(bytes[start..<end]))
      }
    }
  }

  @Test func `runs are found by what lies behind an offset`() {
    let content = content([0, 1, 2, 0, 0, 3, 0])
    let runs = (0...7).map { content.run(endingBehind: $0) }
    #expect(runs == [1..<3, 1..<3, 1..<3, 5..<6, 5..<6, 5..<6, nil, nil])
  }

  @Test func `a whole file costs its bytes, a gap a little more`() {
    #expect(SparseBytes([1, 2, 3]).cost == 3)
    #expect(SparseBytes([]).cost == 0)
    #expect((4...100).contains(content([1, 0, 2]).cost))
  }
}
