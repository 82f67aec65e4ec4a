/// What the first metadata block of a FLAC file says of the stream (RFC 9639, section 8.2).
struct FLACStreamInformation {
  let sampleRate: Int64
  /// Samples a channel in the whole stream; 0 where that is unknown.
  let samples: Int64
  private let blockSize: Int64
  private let largestFrame: Int64

  /// Reads the block's content at an offset.
  init?(_ reader: inout ByteReader, at offset: Int64) {
    guard let sizes = reader.bigEndian(at: offset + 2, count: 2),
      let frame = reader.bigEndian(at: offset + 7, count: 3),
      let format = reader.bigEndian(at: offset + 10, count: 8)
    else { return nil }
    blockSize = Int64(sizes)
    largestFrame = Int64(frame)
    sampleRate = Int64(format >> 44)
    samples = Int64(format & 0xF_FFFF_FFFF)
  }

  /// Whether the frame with the last sample stands at the very end, whole.
  ///
  /// Frames do not tell their size, but each has a number in front and a checksum behind; so the
  /// last one is looked for in as many bytes as a frame can have. Where the stream does not say
  /// how long it or its frames are, nothing is known and nothing is missing.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - frames: Where the frames lie.
  /// - Returns: Whether nothing is missing, as far as can be told.
  func endsWithLastFrame(_ reader: inout ByteReader, frames: Range<Int64>) -> Bool {
    guard samples > 0, (1...131_072).contains(largestFrame) else { return true }
    let start = max(frames.lowerBound, frames.upperBound - largestFrame)
    let tail = Array(reader.prefix(at: start, upTo: Int(frames.upperBound - start)))
    var checked = 0
    for index in tail.indices where tail[index] == 0xFF {
      guard lastSample(ofFrameAt: index, in: tail) == samples else { continue }
      if Self.checksum16(tail[index...]) == 0 { return true }
      // Chance agrees with a number now and then, hardly ever twice.
      checked += 1
      if checked == 8 { return false }
    }
    return false
  }

  /// The number of the sample behind a frame, or nothing where no frame header stands.
  private func lastSample(ofFrameAt start: Int, in bytes: [UInt8]) -> Int64? {
    guard start + 16 <= bytes.count, bytes[start + 1] & 0xFE == 0xF8 else { return nil }
    let isVariable = bytes[start + 1] & 1 == 1
    let sizeCode = bytes[start + 2] >> 4
    let rateCode = bytes[start + 2] & 0xF
    guard sizeCode != 0, rateCode != 15 else { return nil }
    var index = start + 4
    guard let number = Self.number(in: bytes, at: &index) else { return nil }
    var size: Int64
    switch sizeCode {
    case 1: size = 192
    case 2...5: size = 576 << Int64(sizeCode - 2)
    case 6:
      size = Int64(bytes[index]) + 1
      index += 1
    case 7:
      size = (Int64(bytes[index]) << 8 | Int64(bytes[index + 1])) + 1
      index += 2
    default: size = 256 << Int64(sizeCode - 8)
    }
    index += rateCode == 12 ? 1 : rateCode == 13 || rateCode == 14 ? 2 : 0
    guard index < bytes.count, Self.checksum8(bytes[start..<index]) == bytes[index] else {
      return nil
    }
    return (isVariable ? number : number * blockSize) + size
  }

  /// A number coded as UTF-8 codes characters, extended to 36 bits.
  private static func number(in bytes: [UInt8], at index: inout Int) -> Int64? {
    let first = bytes[index]
    index += 1
    let length = (~first).leadingZeroBitCount
    guard length != 1, length <= 7 else { return nil }
    var value = Int64(length == 0 ? first : first & (0xFF >> (UInt8(length) + 1)))
    for _ in 1..<max(1, length) {
      guard index < bytes.count, bytes[index] >> 6 == 2 else { return nil }
      value = value << 6 | Int64(bytes[index] & 0x3F)
      index += 1
    }
    return value
  }

  private static func checksum8(_ bytes: ArraySlice<UInt8>) -> UInt8 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ byte) { value, _ in value & 0x80 != 0 ? value << 1 ^ 0x07 : value << 1 }
    }
  }

  private static func checksum16(_ bytes: ArraySlice<UInt8>) -> UInt16 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ UInt16(byte) << 8) { value, _ in
        value & 0x8000 != 0 ? value << 1 ^ 0x8005 : value << 1
      }
    }
  }
}
