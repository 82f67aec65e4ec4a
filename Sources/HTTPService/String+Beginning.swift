extension String {
  /// As much of what a client sent as an answer repeats.
  ///
  /// - Parameter limit: The most Unicode scalars: a character may have any number of them.
  /// - Returns: The text, or its beginning.
  func beginning(_ limit: Int) -> String {
    String(String.UnicodeScalarView(unicodeScalars.prefix(limit)))
  }
}
