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
    let tables = Self.tables.span
    let bytes = bytes.span
    var crc = state
    var index = 0
    while index &+ 16 <= bytes.count {
      var next: UInt32 = 0
      for step in 0..<16 {
        var byte = bytes[index &+ step]
        if step < 4 { byte ^= UInt8(truncatingIfNeeded: crc >> (8 &* UInt32(step))) }
        next ^= tables[(15 &- step) &* 256 &+ Int(byte)]
      }
      crc = next
      index &+= 16
    }
    while index < bytes.count {
      crc = crc >> 8 ^ tables[Int(UInt8(truncatingIfNeeded: crc) ^ bytes[index])]
      index &+= 1
    }
    state = crc
  }
}
