/// A SHA-256 digest (FIPS 180-4).
public struct SHA256Digest: Sendable, Hashable {
  /// The 32 bytes.
  public let bytes: [UInt8]

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// 64 lower-case hexadecimal digits.
  public var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
      as: UTF8.self
    )
  }
}
