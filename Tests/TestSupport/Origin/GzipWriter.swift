/// Writes gzip (RFC 1952) without compressing: bytes go into stored blocks, and runs of zeros into
/// the longest matches that DEFLATE (RFC 1951) has.
enum GzipWriter {
  /// A gzip of bytes and then zeros.
  ///
  /// - Parameters:
  ///   - bytes: What comes first, stored.
  ///   - zeros: How many zeros follow, at 13 bits for each 258 of them.
  /// - Returns: One member, with its checksum and size.
  static func gzip(_ bytes: [UInt8], andZeros zeros: Int = 0) -> [UInt8] {
    var output: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    for start in stride(from: 0, to: bytes.count, by: 65_535) {
      let block = bytes[start..<min(bytes.count, start + 65_535)]
      output.append(0)
      output += littleEndian(UInt16(block.count)) + littleEndian(~UInt16(block.count)) + block
    }
    output += run(ofZeros: zeros)
    var checksum = Checksum32()
    checksum.update(bytes)
    checksum.update(zeros: zeros)
    return output + littleEndian(checksum.value)
      + littleEndian(UInt32(truncatingIfNeeded: bytes.count + zeros))
  }

  /// The last block, with the fixed codes of RFC 1951, 3.2.6: a literal zero, then matches of
  /// length 258 at distance 1, then single zeros, then the end.
  private static func run(ofZeros count: Int) -> [UInt8] {
    var bits = BitWriter()
    bits.write(0b011, count: 3)
    if count > 0 {
      bits.writeCode(0x30, count: 8)
      let (matches, rest) = (count - 1).quotientAndRemainder(dividingBy: 258)
      for _ in 0..<matches {
        bits.writeCode(0xC5, count: 8)
        bits.writeCode(0, count: 5)
      }
      for _ in 0..<rest { bits.writeCode(0x30, count: 8) }
    }
    bits.writeCode(0, count: 7)
    return bits.finished
  }

  private static func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}

/// Packs bits into bytes, the lowest bit first (RFC 1951, 3.1.1).
private struct BitWriter {
  private var bytes: [UInt8] = []
  private var pending: UInt32 = 0
  private var pendingCount = 0

  /// A number, its lowest bit first.
  mutating func write(_ value: UInt32, count: Int) {
    pending |= value << pendingCount
    pendingCount += count
    while pendingCount >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      pendingCount -= 8
    }
  }

  /// A Huffman code, its highest bit first.
  mutating func writeCode(_ code: UInt32, count: Int) {
    var reversed: UInt32 = 0
    for bit in 0..<count where code >> bit & 1 == 1 { reversed |= 1 << (count - 1 - bit) }
    write(reversed, count: count)
  }

  /// Everything, filled up to whole bytes.
  var finished: [UInt8] {
    pendingCount > 0 ? bytes + [UInt8(truncatingIfNeeded: pending)] : bytes
  }
}
