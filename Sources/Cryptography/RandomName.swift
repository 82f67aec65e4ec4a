/// Names that nobody can guess.
public enum RandomName {
  /// Lower-case letters and digits from the system's cryptographic generator.
  ///
  /// - Parameter length: How many; 16 give 82 bits.
  /// - Returns: A name that is safe in any file system.
  public static func make(length: Int = 16) -> String {
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789")
    return String((0..<length).map { _ in alphabet[Int.random(in: 0..<36, using: &generator)] })
  }
}
