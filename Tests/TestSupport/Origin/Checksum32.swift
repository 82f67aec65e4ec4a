/// The CRC-32 of gzip (RFC 1952, 8), which can take in any number of zeros at once.
struct Checksum32 {
  private var register = UInt32.max

  /// The checksum of everything so far.
  var value: UInt32 {
    ~register
  }

  /// Takes in bytes.
  mutating func update(_ bytes: [UInt8]) {
    for byte in bytes {
      let index = Int((register ^ UInt32(byte)) & 0xFF)
      register = Self.table[index] ^ (register >> 8)
    }
  }

  /// Takes in zeros, in the logarithm of their number.
  ///
  /// Taking in a zero is linear in the register's bits, so it is a matrix over GF(2), and 2^n zeros
  /// are that matrix squared n times.
  mutating func update(zeros count: Int) {
    var step = (0..<32).map { bit -> UInt32 in
      let column = UInt32(1) << bit
      return Self.table[Int(column & 0xFF)] ^ (column >> 8)
    }
    var left = count
    while left > 0 {
      if left & 1 == 1 { register = Self.product(of: step, and: register) }
      step = step.map { Self.product(of: step, and: $0) }
      left >>= 1
    }
  }

  private static func product(of matrix: [UInt32], and vector: UInt32) -> UInt32 {
    var sum: UInt32 = 0
    for bit in 0..<32 where vector >> bit & 1 == 1 { sum ^= matrix[bit] }
    return sum
  }

  private static let table: [UInt32] = (0..<256).map { index in
    var value = UInt32(index)
    for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    return value
  }
}
