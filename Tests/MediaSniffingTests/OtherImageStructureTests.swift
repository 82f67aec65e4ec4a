import AttachmentModel
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OtherImageStructureTests {
  /// Pictures of 17 by 7 pixels in every format that is only recognised.
  static let samples: [(MediaFormat, [UInt8])] = [
    (
      .webp,
      riff(
        "WEBP",
        riffChunk("VP8X", [0, 0, 0, 0] + little(16, 3) + little(6, 3))
          + riffChunk("VP8L", [0x2F, 0, 0, 0, 0])
      )
    ),
    (.webp, riff("WEBP", riffChunk("VP8L", [0x2F] + little(16 | 6 << 14, 4)))),
    (
      .webp,
      riff("WEBP", riffChunk("VP8 ", [0, 0, 0, 0x9D, 1, 0x2A] + little(17, 2) + little(7, 2)))
    ),
    (.bmp, bitmap(width: 17, height: 7)),
    (.tiff, tiff(little, [0x49, 0x49])),
    (.tiff, tiff(big, [0x4D, 0x4D])),
    (.ico, [0, 0, 1, 0, 2, 0] + entry(9, 5) + entry(17, 7) + [UInt8](repeating: 0, count: 40)),
    (.psd, Array("8BPS".utf8) + big(1, 2) + big(0, 6) + big(3, 2) + big(7, 4) + big(17, 4)),
    (
      .jp2,
      big(12, 4) + "jP  " + [0x0D, 0x0A, 0x87, 0x0A]
        + box("jp2h", box("ihdr", big(7, 4) + big(17, 4) + big(0, 6)))
    ),
    (
      .jp2,
      [0xFF, 0x4F, 0xFF, 0x51] + big(47, 2) + big(0, 2) + big(18, 4) + big(9, 4)
        + big(1, 4) + big(2, 4)
    ),
    (.jxl, [0xFF, 0x0A] + jxlSize()),
    (
      .jxl,
      big(12, 4) + "JXL " + [0x0D, 0x0A, 0x87, 0x0A]
        + box("jxlc", [0xFF, 0x0A] + jxlSize())
    ),
    (.heic, heif("heic", "mif1")), (.heic, heif("mif1", "heic")), (.heic, heif("msf1", "hevc")),
    (.avif, heif("avif", "mif1")), (.avif, heif("mif1", "avif")),
    (.svg, Array("<svg stroke-width='3' width=\"17px\" height='7'/>".utf8)),
    (.svg, Array("<?xml version='1.0'?><!-- x --><svg viewBox='0 0 17 7'></svg>".utf8)),
  ]

  static func bitmap(width: Int, height: Int) -> [UInt8] {
    Array("BM".utf8) + little(0, 8) + little(54, 4) + little(40, 4) + little(width, 4)
      + little(height, 4) + little(1, 2) + little(24, 2) + little(0, 24)
      + [UInt8](repeating: 0, count: 52 * 7)
  }

  static func tiff(_ number: (Int, Int) -> [UInt8], _ order: [UInt8]) -> [UInt8] {
    let width = number(256, 2) + number(3, 2) + number(1, 4) + number(17, 2) + [0, 0]
    let height = number(257, 2) + number(4, 2) + number(1, 4) + number(7, 4)
    return order + number(42, 2) + number(8, 4) + number(2, 2) + width + height + number(0, 4)
  }

  static func entry(_ width: UInt8, _ height: UInt8) -> [UInt8] {
    [width, height, 0, 0] + little(1, 2) + little(32, 2) + little(40, 4) + little(38, 4)
  }

  /// Height 7 in nine bits, no ratio, width 17 in nine bits, least significant bit first.
  static func jxlSize() -> [UInt8] {
    little(0 | 0 << 1 | 6 << 3 | 0 << 12 | 0 << 15 | 16 << 17, 4) + [0, 0]
  }

  static func heif(_ major: String, _ compatible: String) -> [UInt8] {
    let size = { (width: Int, height: Int) in
      box("ispe", big(0, 4) + big(width, 4) + big(height, 4))
    }
    let properties = box("ipco", size(99, 99) + size(17, 7))
    let associations = box("ipma", big(0, 4) + big(2, 4) + [0, 1, 1, 1, 0, 2, 1, 0x82])
    let meta =
      big(0, 4) + box("pitm", big(0, 4) + big(2, 2)) + box("iprp", properties + associations)
    return box("ftyp", Array(major.utf8) + big(0, 4) + Array(compatible.utf8)) + box("meta", meta)
      + box("mdat", [1, 2, 3, 4])
  }

  @Test(arguments: samples)
  func `format and size are recognised`(format: MediaFormat, bytes: [UInt8]) throws {
    let found = try inspect(bytes)
    #expect(found.format == format)
    #expect(found.kind == .image)
    #expect(found.width == 17)
    #expect(found.height == 7)
    #expect(found.findings.isEmpty)
  }

  @Test func `a WebP file's frames are counted and its end is known`() throws {
    let head = riffChunk("VP8X", [2, 0, 0, 0] + little(16, 3) + little(6, 3))
    let frame = riffChunk("ANMF", [UInt8](repeating: 0, count: 24))
    let file = riff("WEBP", head + frame + frame)
    #expect(try inspect(file).frames == 2)
    #expect(try kinds(file.dropLast()) == [.truncated])
    #expect(try kinds(file + "PK\u{3}\u{4}....") == [.polyglot])
  }

  @Test func `a bitmap larger than its file is truncated`() throws {
    #expect(try kinds(Self.bitmap(width: 17, height: 7).dropLast()) == [.truncated])
    #expect(try kinds(Self.bitmap(width: 3_000_000, height: 2_000_000)) == [.truncated])
  }

  @Test func `a HEIF file without a file type box is corrupt`() throws {
    let file = Array(Self.heif("heic", "mif1").dropFirst(20))
    let handler = box("hdlr", big(0, 8) + "pict")
    // The last 12 bytes are the data's box, which stays outside.
    let meta = box("meta", big(0, 4) + handler + file.dropFirst(12).dropLast(12))
    let found = try inspect(meta + file.suffix(12))
    #expect(found.format == .heic)
    #expect(found.findings.map(\.kind) == [.corrupt])
  }

  @Test(arguments: [1, 4, 11, 12])
  func `a HEIF file without all of its data is truncated`(missing: Int) throws {
    let file = Self.heif("heic", "mif1").dropLast(missing)
    #expect(try kinds(Array(file)).contains(.truncated))
  }
}
