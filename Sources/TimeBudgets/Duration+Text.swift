extension Duration {
  /// Reads `500ms`, `30s`, `2m`, `1.5s` or `1h`.
  ///
  /// Makes nothing where the text is no duration.
  ///
  /// - Parameter text: A number that is not negative, and a unit, which must be there.
  public init?(_ text: String) {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let scale: [Substring: Double] = ["us": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3_600]
    guard let number = Double(digits), digits.first != ".",
      let unit = scale[text.dropFirst(digits.count)]
    else { return nil }
    let seconds = number * unit
    guard seconds <= 1e9 else { return nil }
    self = .nanoseconds(Int64((seconds * 1e9).rounded()))
  }

  /// Milliseconds, rounded to three decimals: the way reports print every time.
  public var milliseconds: Double {
    let (seconds, attoseconds) = components
    let microseconds = Double(seconds) * 1e6 + (Double(attoseconds) / 1e12)
    return microseconds.rounded() / 1_000
  }

  /// The time for people: `940 ms`, `2.31 s`, `4 min 10 s`.
  public var rounded: String {
    let seconds = milliseconds / 1_000
    if seconds < 1 { return "\(Int(milliseconds.rounded())) ms" }
    if seconds < 60 {
      let hundredths = Int((seconds * 100).rounded())
      let fraction = hundredths % 100
      return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) s"
    }
    let whole = Int(seconds.rounded())
    return "\(whole / 60) min \(whole % 60) s"
  }
}
