import AttachmentModel
import PreviewRendering
import TestSupport
import Testing

/// Colours, orientation and transparency, against known values and against another program.
@Suite(.timeLimit(.minutes(1)))
struct ColourTests {
  @Test(
    .enabled(if: ReferenceDecoder.isInstalled, "ImageMagick is not installed"),
    arguments: [
      ("jpeg/valid/orientation-1.jpg", 3), ("jpeg/valid/orientation-2.jpg", 3),
      ("jpeg/valid/orientation-3.jpg", 3), ("jpeg/valid/orientation-4.jpg", 3),
      ("jpeg/valid/orientation-5.jpg", 3), ("jpeg/valid/orientation-6.jpg", 3),
      ("jpeg/valid/orientation-7.jpg", 3), ("jpeg/valid/orientation-8.jpg", 3),
      ("jpeg/valid/baseline.jpg", 3), ("jpeg/valid/progressive.jpg", 3), ("jpeg/valid/grey.jpg", 1),
      ("jpeg/valid/icc-profile.jpg", 3), ("jpeg/valid/one-pixel.jpg", 2),
      ("png/valid/rgb.png", 3), ("png/valid/rgb-16-bit.png", 3), ("png/valid/grey.png", 1),
      ("png/valid/grey-1-bit.png", 1), ("png/valid/grey-alpha.png", 1), ("png/valid/rgba.png", 2),
      ("png/valid/palette.png", 1), ("png/valid/palette-transparent.png", 1),
      ("png/valid/rgb-transparent-colour.png", 1), ("png/valid/interlaced.png", 3),
      ("gif/valid/still.gif", 1), ("gif/valid/interlaced.gif", 1), ("tiff/valid/plain.tiff", 1),
    ] as [(String, Double)]
  )
  func `a preview looks as another program shows its source`(
    name: String,
    tolerance: Double
  ) async throws {
    let fixture = Fixture(name)
    let format = try #require(MediaFormat(rawValue: String(name.prefix { $0 != "/" })))
    let preview = try Scene.preview(Scene.examine(fixture.bytes, format))
    let distance = try #require(
      ColourDistance.between(
        try await ReferenceDecoder.pixels(of: fixture.bytes, ["-auto-orient"]),
        try await ReferenceDecoder.pixels(of: preview.bytes)
      ),
      "other dimensions: \(preview.width) x \(preview.height)"
    )
    #expect(distance.mean <= tolerance, "\(distance)")
  }

  /// The primaries, adapted to D50, as ICC profiles hold them.
  private static let displayP3 = [
    [0.5151, 0.2412, -0.0011], [0.2920, 0.6922, 0.0419], [0.1571, 0.0666, 0.7841],
  ]
  private static let adobeRGB = [
    [0.6097, 0.3111, 0.0195], [0.2053, 0.6257, 0.0609], [0.1492, 0.0632, 0.7446],
  ]

  @Test(
    arguments: [
      ([234, 51, 35], [255, 0, 0]), ([117, 251, 76], [0, 255, 0]), ([0, 0, 245], [0, 0, 255]),
      ([128, 128, 128], [128, 128, 128]), ([255, 255, 255], [255, 255, 255]),
    ] as [([UInt8], [Int])]
  )
  func `Display P3 becomes sRGB`(stored: [UInt8], shown: [Int]) throws {
    let profile = ProfileWriter.profile(Self.displayP3, curve: ProfileWriter.toneOfSRGB)
    try expect(stored, profile, toBecome: shown)
  }

  @Test(
    arguments: [
      ([219, 0, 0], [255, 0, 0]), ([144, 255, 60], [0, 255, 0]), ([0, 0, 250], [0, 0, 255]),
      ([127, 127, 127], [128, 128, 128]), ([255, 255, 255], [255, 255, 255]),
    ] as [([UInt8], [Int])]
  )
  func `Adobe RGB becomes sRGB`(stored: [UInt8], shown: [Int]) throws {
    let profile = ProfileWriter.profile(Self.adobeRGB, curve: ProfileWriter.gamma(2.19921875))
    try expect(stored, profile, toBecome: shown)
  }

  private func expect(_ stored: [UInt8], _ profile: [UInt8], toBecome shown: [Int]) throws {
    let png = PictureWriter.png(width: 9, height: 9, bands: 3, profile: profile) { _, _ in stored }
    let preview = try Scene.preview(Scene.examine(png, .png))
    let pixel = try Scene.pixel(of: preview.bytes, preview.format, x: 4, y: 4)
    #expect(zip(pixel, shown).allSatisfy { abs(Int($0) - $1) <= 6 }, "\(pixel)")
    #expect(!contains(preview.bytes, [UInt8]("iCCP".utf8)))
  }

  /// sRGB's primaries, adapted to D50.
  private static let sRGB = [
    [0.4360, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7141],
  ]

  @Test(.enabled(if: ReferenceDecoder.canPrint, "ImageMagick or vips is not installed"))
  func `printing inks with a profile look as another program shows them`() async throws {
    let folder = try TemporaryFolder()
    let profile = ProfileWriter.profile(Self.sRGB, curve: ProfileWriter.toneOfSRGB)
    let file = try folder.write(profile, to: "srgb.icc")
    // As bright and saturated as inks can be.
    let png = PictureWriter.png(width: 64, height: 64, bands: 3, profile: profile) { x, y in
      [UInt8(70 + x * 2), UInt8(70 + y * 2), UInt8(200 - x - y)]
    }
    let jpeg = try await ReferenceDecoder.printed(png)
    let examination = try Scene.examine(jpeg, .jpeg)
    #expect(examination.isCMYK)
    let preview = try Scene.preview(examination)
    let reference = try await ReferenceDecoder.pixels(
      of: jpeg,
      ["-intent", "perceptual", "-profile", file]
    )
    let distance = try #require(
      ColourDistance.between(reference, try await ReferenceDecoder.pixels(of: preview.bytes))
    )
    #expect(distance.mean <= 4, "\(distance)")
  }

  @Test(arguments: [(1, 20_000), (20_000, 1)])
  func `a picture of a line keeps a pixel on its shorter side`(width: Int, height: Int) throws {
    let png = PictureWriter.png(width: width, height: height, bands: 3) { x, y in
      [UInt8((x + y) % 251), 90, UInt8((x + y) / 97 % 256)]
    }
    let preview = try Scene.preview(Scene.examine(png, .png))
    #expect(max(preview.width, preview.height) == 1_440)
    #expect(min(preview.width, preview.height) == 1)
  }

  @Test(arguments: [
    "jpeg/valid/location.jpg", "png/valid/location.png", "jpeg/valid/icc-profile.jpg",
  ])
  func `no metadata is left in a preview, and no location`(name: String) throws {
    let format = try #require(MediaFormat(rawValue: String(name.prefix { $0 != "/" })))
    let preview = try Scene.preview(Scene.examine(Fixture(name).bytes, format))
    let traces = ["Exif", "eXIf", "ICC_PROFILE", "iCCP", "http", "GPS", "xpacket", "tEXt", "iTXt"]
    #expect(traces.filter { contains(preview.bytes, [UInt8]($0.utf8)) } == [])
  }

  private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    bytes.firstRange(of: part) != nil
  }
}
