/// A SHA-256 digest (FIPS 180-4).
public struct SHA256Digest: Sendable, Hashable {
  /// The 32 bytes.
  public let bytes: [UInt8]

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads the digits that `hexadecimal` writes.
  ///
  /// Makes nothing where the text is anything but 64 lower-case hexadecimal digits.
  ///
  /// - Parameter hexadecimal: A digest that was kept as text.
  public init?(hexadecimal: String) {
    var values: [UInt8] = []
    for digit in hexadecimal.utf8 {
      switch digit {
      case 48...57: values.append(digit - 48)
      case 97...102: values.append(digit - 87)
      default: return nil
      }
      guard values.count <= 64 else { return nil }
    }
    guard values.count == 64 else { return nil }
    bytes = (0..<32).map { values[$0 * 2] << 4 | values[$0 * 2 + 1] }
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
