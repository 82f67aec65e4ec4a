import Glibc

/// Writes ICC profiles of displays: three primaries and a tone curve (ICC.1:2022, 7.2 and 8.4).
enum ProfileWriter {
  /// A whole profile, as a colour engine reads it.
  ///
  /// - Parameters:
  ///   - primaries: Red, green and blue in XYZ, adapted to D50.
  ///   - curve: From stored to linear light, both 0 to 1.
  /// - Returns: The bytes.
  static func profile(_ primaries: [[Double]], curve: (Double) -> Double) -> [UInt8] {
    let tone = table(curve)
    let white = xyz([0.9642, 1, 0.8249])
    let contents =
      [("wtpt", white)] + zip(["rXYZ", "gXYZ", "bXYZ"], primaries.map(xyz))
      + ["rTRC", "gTRC", "bTRC"].map { ($0, tone) }
    var tags = big(contents.count)
    var data: [UInt8] = []
    for (name, content) in contents {
      let offset = 132 + 12 * contents.count + data.count
      tags += [UInt8](name.utf8) + big(offset) + big(content.count)
      data += content
    }
    var header = [UInt8](repeating: 0, count: 128)
    func place(_ bytes: [UInt8], at offset: Int) {
      header.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
    place(big(128 + tags.count + data.count), at: 0)
    place(big(0x0240_0000), at: 8)
    place([UInt8]("mntrRGB XYZ ".utf8), at: 12)
    place([UInt8]("acsp".utf8), at: 36)
    place([UInt8](white.dropFirst(8)), at: 68)
    return header + tags + data
  }

  /// The tone curve of sRGB and of Display P3.
  static func toneOfSRGB(_ value: Double) -> Double {
    value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  /// A tone curve that is a power.
  static func gamma(_ exponent: Double) -> (Double) -> Double {
    { pow($0, exponent) }
  }

  private static func xyz(_ value: [Double]) -> [UInt8] {
    value.reduce([UInt8]("XYZ ".utf8) + big(0)) { $0 + big(Int($1 * 65_536)) }
  }

  private static func table(_ curve: (Double) -> Double) -> [UInt8] {
    (0..<1_024).reduce([UInt8]("curv".utf8) + big(0) + big(1_024)) { bytes, index in
      bytes + big(Int(curve(Double(index) / 1_023) * 65_535)).suffix(2)
    }
  }

  private static func big(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
