import Glibc
import PreviewRendering
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ColourProfileTests {
  private static let sRGB: [[Double]] = [
    [0.4360, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7141],
  ]
  private static let displayP3: [[Double]] = [
    [0.5151, 0.2412, -0.0011], [0.2920, 0.6922, 0.0419], [0.1571, 0.0666, 0.7841],
  ]

  private static func big(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// A tone curve of 1,024 entries, as most sRGB profiles have.
  private static func table(_ curve: (Double) -> Double) -> [UInt8] {
    (0..<1_024).reduce([UInt8]("curv".utf8) + big(0) + big(1_024)) { bytes, index in
      bytes + big(Int(curve(Double(index) / 1_023) * 65_535)).suffix(2)
    }
  }

  private static func toneOfSRGB(_ value: Double) -> Double {
    value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  private static let parametric: [UInt8] = {
    let numbers: [Double] = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
    let start = [UInt8]("para".utf8) + big(0) + big(3 << 16)
    return numbers.reduce(start) { $0 + big(Int($1 * 65_536)) }
  }()

  private static func profile(_ primaries: [[Double]], curve: [UInt8]) -> [UInt8] {
    let names = ["rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC"]
    var contents = primaries.map { primary in
      primary.reduce([UInt8]("XYZ ".utf8) + big(0)) { $0 + big(Int($1 * 65_536)) }
    }
    contents += [curve, curve, curve]
    var table = big(names.count)
    var data: [UInt8] = []
    for (name, content) in zip(names, contents) {
      table += [UInt8](name.utf8) + big(132 + 12 * names.count + data.count) + big(content.count)
      data += content
    }
    var header = [UInt8](repeating: 0, count: 128)
    header.replaceSubrange(16..<24, with: [UInt8]("RGB XYZ ".utf8))
    return header + table + data
  }

  @Test func `sRGB is known by its primaries and its table`() {
    let profile = Self.profile(Self.sRGB, curve: Self.table(Self.toneOfSRGB))
    #expect(ColourProfile(profile).isSRGB)
  }

  @Test func `sRGB is known by its parametric curve`() {
    #expect(ColourProfile(Self.profile(Self.sRGB, curve: Self.parametric)).isSRGB)
  }

  @Test func `other primaries are not sRGB`() {
    #expect(!ColourProfile(Self.profile(Self.displayP3, curve: Self.parametric)).isSRGB)
  }

  @Test(arguments: [1.0, 1.8, 2.6])
  func `other curves are not sRGB`(gamma: Double) {
    let profile = Self.profile(Self.sRGB, curve: Self.table { pow($0, gamma) })
    #expect(!ColourProfile(profile).isSRGB)
  }

  @Test(arguments: [0, 1, 127, 128, 131, 132, 150, 203, 204, 250])
  func `a cut profile is not sRGB`(count: Int) {
    let profile = Self.profile(Self.sRGB, curve: Self.parametric)
    #expect(!ColourProfile(Array(profile.prefix(count))).isSRGB)
  }
}
