/// The checksum of PNG chunks.
///
/// Source: ISO/IEC 15948, annex D. Sixteen tables let sixteen bytes go in one step, which is what
/// keeps checking a picture as fast as reading it.
struct CRC32 {
  private var state: UInt32 = 0xFFFF_FFFF

  /// The checksum of everything added.
  var value: UInt32 { ~state }

  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 16 * 256)
    for index in 0..<256 {
      var entry = UInt32(index)
      for _ in 0..<8 { entry = entry & 1 == 1 ? entry >> 1 ^ 0xEDB8_8320 : entry >> 1 }
      tables[index] = entry
    }
    for index in 256..<tables.count {
      let before = tables[index - 256]
      tables[index] = before >> 8 ^ tables[Int(before & 0xFF)]
    }
    return tables
  }()

  /// Adds bytes.
  mutating func update(_ bytes: ArraySlice<UInt8>) {
    var crc = state
    // Invariant: the buffers are only used inside the closures; sixteen bytes are loaded at
    // `index` only where index + 16 <= count.
    Self.tables.withUnsafeBufferPointer { tables in
      bytes.withUnsafeBytes { bytes in
        var index = 0
        while index &+ 16 <= bytes.count {
          // Invariant: as above.
          let low = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
          let high = bytes.loadUnaligned(fromByteOffset: index &+ 8, as: UInt64.self).littleEndian
          crc =
            Self.step(low ^ UInt64(crc), tables, from: 8) ^ Self.step(high, tables, from: 0)
          index &+= 16
        }
        while index < bytes.count {
          crc = crc >> 8 ^ tables[Int(UInt8(truncatingIfNeeded: crc) ^ bytes[index])]
          index &+= 1
        }
      }
    }
    state = crc
  }

  /// What eight bytes add, by the eight tables from `first`: the last byte looks into the first.
  ///
  /// Invariant: a table has 256 entries, the index in it is one byte of the word, and there are
  /// eight tables from `first`.
  @inline(__always)
  private static func step(
    _ word: UInt64,
    _ tables: UnsafeBufferPointer<UInt32>,
    from first: Int
  ) -> UInt32 {
    func entry(_ byte: Int) -> UInt32 {
      tables[(first &+ 7 &- byte) &* 256 &+ Int(word >> UInt64(8 &* byte) & 0xFF)]
    }
    let even = entry(0) ^ entry(2) ^ entry(4) ^ entry(6)
    let odd = entry(1) ^ entry(3) ^ entry(5) ^ entry(7)
    return even ^ odd
  }
}
