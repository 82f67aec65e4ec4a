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

  /// The time for people: `0.4 ms`, `940 ms`, `2.31 s`, `4 min 10 s`.
  ///
  /// Only no time at all is `0 ms`: what took some must not seem to have been skipped.
  public var rounded: String {
    let milliseconds = milliseconds
    if milliseconds < 0.95 {
      return self > .zero ? "0.\(max(1, Int((milliseconds * 10).rounded()))) ms" : "0 ms"
    }
    if milliseconds < 999.5 { return "\(Int(milliseconds.rounded())) ms" }
    let hundredths = Int((milliseconds / 10).rounded())
    if hundredths < 6_000 {
      let fraction = hundredths % 100
      return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) s"
    }
    let whole = Int((milliseconds / 1_000).rounded())
    return "\(whole / 60) min \(whole % 60) s"
  }

  /// The time to the microsecond, for limits that somebody set: `1.5 ms`, `250 ms`, `30 s`.
  public var exactly: String {
    let milliseconds = self > .zero ? max(0.001, milliseconds) : milliseconds
    guard let whole = Int64(exactly: milliseconds) else { return "\(milliseconds) ms" }
    return whole != 0 && whole.isMultiple(of: 1_000) ? "\(whole / 1_000) s" : "\(whole) ms"
  }
}
