/// Writes the chunked transfer coding (RFC 9112, 7.1).
enum ChunkWriter {
  /// What ends a body.
  static let end = [UInt8]("0\r\n\r\n".utf8)

  /// One chunk.
  static func chunk(_ bytes: some Collection<UInt8>) -> [UInt8] {
    [UInt8]("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10]
  }

  /// A body in chunks of equal size, without its end.
  static func chunks(_ bytes: [UInt8], size: Int) -> [UInt8] {
    stride(from: 0, to: bytes.count, by: max(1, size)).flatMap { start in
      chunk(bytes[start..<min(bytes.count, start + max(1, size))])
    }
  }
}
