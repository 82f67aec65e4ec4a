/// Names that nobody can guess.
public enum RandomName {
  /// Lower-case letters and digits from the system's cryptographic generator.
  ///
  /// - Parameter length: How many; 16 give 82 bits.
  /// - Returns: A name that is safe in any file system.
  public static func make(length: Int = 16) -> String {
    var generator = SystemRandomNumberGenerator()
    var name: [UInt8] = []
    name.reserveCapacity(length)
    while name.count < length {
      // Each draw is a system call, and one is enough for as many characters as fit 64 bits.
      var draw = UInt64.random(in: 0..<twelveCharacters, using: &generator)
      for _ in 0..<min(12, length - name.count) {
        name.append(alphabet[Int(draw % 36)])
        draw /= 36
      }
    }
    return String(decoding: name, as: UTF8.self)
  }

  private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
  /// 36 to the power of 12.
  private static let twelveCharacters: UInt64 = 4_738_381_338_321_616_896
}
