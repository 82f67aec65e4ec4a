/// Writes the checksums that a mutated PNG or Ogg file would have to carry.
///
/// Without it hardly any mutation gets past them: the fuzzer cannot guess a CRC.
enum ChecksumRepair {
  /// Repairs what begins as a PNG or an Ogg file; leaves alone what does not.
  static func repair(_ bytes: inout [UInt8]) {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      repairChunks(&bytes)
    } else if bytes.starts(with: "OggS".utf8) {
      repairPages(&bytes)
    }
  }

  /// PNG: length, type, data, then the CRC over type and data.
  private static func repairChunks(_ bytes: inout [UInt8]) {
    var offset = 8
    while bytes.count - offset >= 12 {
      let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= bytes.count - offset - 12 else { return }
      let end = offset + 8 + length
      var sum: UInt32 = 0xFFFF_FFFF
      for byte in bytes[offset + 4..<end] {
        sum ^= UInt32(byte)
        for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
      }
      for index in 0..<4 {
        bytes[end + index] = UInt8(truncatingIfNeeded: ~sum >> UInt32(24 - 8 * index))
      }
      offset = end + 4
    }
  }

  /// Ogg: the CRC at 22 goes over the whole page, with zeros in its own place.
  private static func repairPages(_ bytes: inout [UInt8]) {
    var offset = 0
    while bytes.count - offset >= 27, bytes[offset..<offset + 4].elementsEqual("OggS".utf8) {
      let content = offset + 27 + Int(bytes[offset + 26])
      guard content <= bytes.count else { return }
      let end = content + bytes[offset + 27..<content].reduce(0) { $0 + Int($1) }
      guard end <= bytes.count else { return }
      for index in 22..<26 { bytes[offset + index] = 0 }
      var sum: UInt32 = 0
      for byte in bytes[offset..<end] {
        sum ^= UInt32(byte) << 24
        for _ in 0..<8 { sum = sum >> 31 == 1 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
      }
      for index in 0..<4 {
        bytes[offset + 22 + index] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * index))
      }
      offset = end
    }
  }
}
