/// An ICC profile, looked at just far enough to tell sRGB from everything else.
///
/// Most profiles in photographs are sRGB under some name; converting from sRGB to sRGB costs as
/// much as encoding and changes nothing. Layout: ICC.1:2022, 7.2 to 7.3 and 10.18, 10.6, 10.31.
package struct ColourProfile {
  private let bytes: [UInt8]

  /// A profile as it is embedded, of any length and content.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The D50-adapted primaries of sRGB in XYZ, in 1/65536.
  private static let primaries: [(signature: UInt32, xyz: [Int32])] = [
    (0x7258_595A, [28_578, 14_581, 912]),
    (0x6758_595A, [25_241, 46_981, 6_362]),
    (0x6258_595A, [9_376, 3_973, 46_812]),
  ]

  /// Whether this is an RGB profile with sRGB's primaries and tone curve.
  package var isSRGB: Bool {
    guard number(at: 16) == 0x5247_4220 else { return false }
    for (signature, xyz) in Self.primaries {
      guard let offset = tag(signature), number(at: offset) == 0x5859_5A20 else { return false }
      for (index, expected) in xyz.enumerated() {
        guard let value = number(at: offset + 8 + 4 * index) else { return false }
        // Profiles in use differ from each other by up to a few thousandths.
        guard abs(Int64(Int32(bitPattern: value)) - Int64(expected)) < 200 else { return false }
      }
    }
    return [0x7254_5243, 0x6754_5243, 0x6254_5243].allSatisfy(hasToneCurve)
  }

  /// Whether a curve is sRGB's: as the parametric form, or as a table that passes its middle.
  private func hasToneCurve(_ signature: UInt32) -> Bool {
    guard let offset = tag(signature) else { return false }
    switch number(at: offset) {
    case 0x7061_7261:  // para: function type 3, or 4 with offsets of zero, to the power of 2.4
      guard let type = number(at: offset + 8), let gamma = number(at: offset + 12) else {
        return false
      }
      return (3...4).contains(type >> 16) && abs(Int64(gamma) - 157_286) < 400
    case 0x6375_7276:  // curv: sRGB(0.5) = 0.2140
      guard let count = number(at: offset + 8), count >= 256, count <= 65_536,
        let middle = half(at: offset + 12 + 2 * (Int(count) / 2)),
        let eighth = half(at: offset + 12 + 2 * (Int(count) / 8))
      else { return false }
      return abs(Int(middle) - 14_027) < 200 && abs(Int(eighth) - 958) < 60
    default:
      return false
    }
  }

  /// Where a tag's data begins.
  private func tag(_ signature: UInt32) -> Int? {
    guard let count = number(at: 128) else { return nil }
    for index in 0..<Int(min(count, 64)) where number(at: 132 + 12 * index) == signature {
      return number(at: 132 + 12 * index + 4).map(Int.init)
    }
    return nil
  }

  private func number(at offset: Int) -> UInt32? {
    guard offset >= 0, offset <= bytes.count - 4 else { return nil }
    return bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private func half(at offset: Int) -> UInt16? {
    guard offset >= 0, offset <= bytes.count - 2 else { return nil }
    return UInt16(bytes[offset]) << 8 | UInt16(bytes[offset + 1])
  }
}
