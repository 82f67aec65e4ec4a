/// Pieces of files as bytes.
enum Octets {
  /// A number, most significant byte first.
  static func big(_ value: UInt64, _ count: Int = 4) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
  }

  /// A number, least significant byte first.
  static func little(_ value: UInt64, _ count: Int = 4) -> [UInt8] {
    big(value, count).reversed()
  }

  static func text(_ text: String) -> [UInt8] {
    Array(text.utf8)
  }

  static func zeros(_ count: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: count)
  }

  /// Bytes without a pattern, always the same for one seed.
  static func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    return (0..<count).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state >> 24)
    }
  }
}
