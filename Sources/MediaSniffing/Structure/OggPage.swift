/// A page of an Ogg file (RFC 3533, section 6).
struct OggPage {
  let start: Int64
  /// Where the packets begin.
  let content: Int64
  /// The first byte behind the page; may lie behind the file's end.
  let end: Int64
  let serial: UInt32
  let sequence: UInt32
  /// The codec's own measure of time, or -1.
  let position: Int64
  let isFirst: Bool
  let isLast: Bool
  private let checksum: UInt32

  /// The page at an offset, or nothing where no whole header stands.
  init?(_ reader: inout ByteReader, at offset: Int64) {
    guard let header = reader.bytes(at: offset, count: 27).map(Array.init),
      header[0..<4].elementsEqual("OggS".utf8), header[4] == 0,
      let segments = reader.bytes(at: offset + 27, count: Int(header[26]))
    else { return nil }
    func number(_ range: Range<Int>) -> UInt64 {
      header[range].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    start = offset
    content = offset + 27 + Int64(header[26])
    end = content + segments.reduce(0) { $0 + Int64($1) }
    isFirst = header[5] & 2 != 0
    isLast = header[5] & 4 != 0
    position = Int64(bitPattern: number(6..<14))
    serial = UInt32(number(14..<18))
    sequence = UInt32(number(18..<22))
    checksum = UInt32(number(22..<26))
  }

  /// Whether the page is what was written: CRC-32 of 0x04C11DB7, the checksum itself as zeros.
  func hasValidChecksum(_ reader: inout ByteReader) -> Bool {
    // A page has at most 65,307 bytes, which fits a window.
    guard let bytes = reader.bytes(at: start, count: Int(end - start)) else { return false }
    var remainder: UInt32 = 0
    let first = bytes.startIndex
    for index in bytes.indices {
      let byte = (22..<26).contains(index - first) ? 0 : bytes[index]
      remainder =
        remainder << 8 ^ Self.table[Int(UInt8(truncatingIfNeeded: remainder >> 24) ^ byte)]
    }
    return remainder == checksum
  }

  private static let table: [UInt32] = (0..<256).map { (index: UInt32) in
    (0..<8).reduce(index << 24) { value, _ in
      value & 0x8000_0000 != 0 ? value << 1 ^ 0x04C1_1DB7 : value << 1
    }
  }
}
