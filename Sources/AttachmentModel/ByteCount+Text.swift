extension ByteCount {
  private static let units: [(name: String, size: Int64)] = [
    ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30),
    ("kB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000),
    ("B", 1),
  ]

  /// Reads `300kB` (300,000), `300KiB` (307,200), `50MB`, `1.5GB` or a plain number of bytes.
  ///
  /// Makes nothing where the text is no size, is negative, or does not fit 64 bits.
  ///
  /// - Parameter text: Digits, at most one decimal point, and an optional unit in any case.
  public init?(_ text: String) {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let suffix = text.dropFirst(digits.count).lowercased()
    guard let number = Double(digits), number.isFinite, digits.first != "." else { return nil }
    guard
      let unit = suffix.isEmpty
        ? 1 : Self.units.first(where: { $0.name.lowercased() == suffix })?.size
    else { return nil }
    let product = number * Double(unit)
    guard product < 9.2e18 else { return nil }
    self.init(Int64(product.rounded()))
  }

  /// The exact count with thousands separated, as in `12,410,233 bytes`.
  public var exactly: String {
    let digits = String(bytes.magnitude)
    var grouped = bytes < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { grouped.append(",") }
      grouped.append(digit)
    }
    return grouped + (bytes == 1 ? " byte" : " bytes")
  }

  /// The count for people, and yet exact: `300 kB`, but `511,999 bytes`.
  package var concise: String {
    let text = rounded
    return ByteCount(text.filter { $0 != " " }) == self ? text : exactly
  }

  /// The count for people, to three figures, as in `12.4 MB`.
  public var rounded: String {
    for (name, size) in [("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)]
      as [(String, Int64)]
    where bytes >= size {
      let tenths = (Double(bytes) / Double(size) * 10).rounded()
      return tenths >= 1_000 || tenths.truncatingRemainder(dividingBy: 10) == 0
        ? "\(Int64(tenths / 10)) \(name)" : "\(tenths / 10) \(name)"
    }
    return "\(bytes) B"
  }
}
