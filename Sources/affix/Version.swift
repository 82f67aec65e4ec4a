/// What this build calls itself.
enum Version {
  /// The number, as `affix version` prints it and `User-Agent` carries it.
  static let number = "0.1.0"
}
