import AttachmentModel
import PreviewRendering
import Testing

@Suite(.timeLimit(.minutes(1)))
struct PictureDecoderTests {
  private func isNear(_ pixel: [UInt8], _ expected: [UInt8], by tolerance: Int = 12) -> Bool {
    pixel.count == expected.count
      && zip(pixel, expected).allSatisfy { abs(Int($0) - Int($1)) <= tolerance }
  }

  /// 64 x 32: the left half red, the right half blue, with a white top left corner.
  private func flag() throws -> [UInt8] {
    let png = PictureWriter.png(width: 64, height: 32, bands: 3) { x, y in
      if x < 16, y < 16 { return [255, 255, 255] }
      // Noise that nobody sees keeps the picture from being one for a palette.
      return x < 32 ? [230, UInt8(x + y) % 17, UInt8(y % 23)] : [UInt8(x % 19), UInt8(y), 230]
    }
    let request = PreviewRequest(limit: .kilobytes(100))
    let preview = try Scene.preview(Scene.examine(png, .png, [request]))
    try #require(preview.format == .jpeg)
    return preview.bytes
  }

  @Test(
    arguments: [
      (1, 4, 4), (2, 59, 4), (3, 59, 27), (4, 4, 27),
      (5, 4, 4), (6, 27, 4), (7, 27, 59), (8, 4, 59),
    ] as [(UInt8, Int, Int)]
  )
  func `a picture is turned upright`(orientation: UInt8, x: Int, y: Int) throws {
    let jpeg = PictureWriter.oriented(try flag(), orientation)
    #expect(isNear(try Scene.pixel(of: jpeg, .jpeg, x: x, y: y), [255, 255, 255]))
    let preview = try Scene.preview(Scene.examine(jpeg, .jpeg))
    #expect((preview.width, preview.height) == (orientation < 5 ? (64, 32) : (32, 64)))
  }

  @Test func `a frame is fitted by the upright picture`() throws {
    let jpeg = PictureWriter.oriented(try flag(), 6)
    let request = PreviewRequest(size: .within(width: 100, height: 32))
    let preview = try Scene.preview(Scene.examine(jpeg, .jpeg, [request]))
    #expect((preview.width, preview.height) == (16, 32))
  }

  @Test func `real transparency is kept in a PNG`() throws {
    let png = PictureWriter.png(width: 40, height: 40, bands: 4) { x, y in
      [UInt8(x * 6), UInt8(y * 6), 90, x < 20 ? 0 : 255]
    }
    let preview = try Scene.preview(Scene.examine(png, .png))
    #expect(preview.format == .png)
    #expect(preview.quality == nil)
    #expect(preview.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    #expect(isNear(try Scene.pixel(of: preview.bytes, .png, x: 30, y: 10), [180, 60, 90, 255]))
    #expect(try Scene.pixel(of: preview.bytes, .png, x: 5, y: 10).last == 0)
  }

  @Test func `transparency that fits in no PNG becomes white`() throws {
    var state: UInt32 = 1
    let png = PictureWriter.png(width: 300, height: 200, bands: 4) { x, _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return [UInt8(state >> 24), UInt8(state >> 16 & 0xFF), 40, x < 150 ? 0 : 255]
    }
    let request = PreviewRequest(limit: .kilobytes(20))
    let preview = try Scene.preview(Scene.examine(png, .png, [request]))
    #expect(preview.format == .jpeg)
    #expect(preview.bytes.count <= 20_000)
    let corner = try Scene.pixel(of: preview.bytes, .jpeg, x: 5, y: 5)
    #expect(isNear(corner, [255, 255, 255], by: 25))
  }

  @Test(arguments: [2, 4])
  func `an alpha band that is opaque is dropped`(bands: Int) throws {
    let png = PictureWriter.png(width: 30, height: 30, bands: bands) { x, y in
      [UInt8(x * 8), UInt8(y * 8), 7].prefix(bands - 1) + [255]
    }
    #expect(try Scene.pixel(of: png, .png, x: 3, y: 3).count == 3)
  }

  @Test func `few colours make a PNG`() throws {
    let png = PictureWriter.png(width: 50, height: 50, bands: 3) { x, y in
      (x / 10 + y / 10).isMultiple(of: 2) ? [200, 30, 30] : [20, 30, 160]
    }
    let preview = try Scene.preview(Scene.examine(png, .png))
    #expect(preview.format == .png)
    #expect(preview.bytes.count < 1_000)
    let pixel = try Scene.pixel(of: preview.bytes, .png, x: 2, y: 2)
    #expect(isNear(pixel, [200, 30, 30], by: 3))
  }

  @Test func `grey becomes grey in sRGB`() throws {
    let png = PictureWriter.png(width: 9, height: 9, bands: 1) { _, _ in [77] }
    #expect(try Scene.pixel(of: png, .png, x: 4, y: 4) == [77, 77, 77])
  }

  @Test(
    arguments: [
      ([255, 255, 255, 255], false, [255, 255, 255]), ([255, 255, 255, 0], false, [35, 31, 32]),
      ([255, 255, 255, 255], true, [255, 255, 255]), ([255, 255, 255, 0], true, [35, 31, 32]),
    ] as [([UInt8], Bool, [UInt8])]
  )
  func `CMYK becomes sRGB, read as inverted with and without the Adobe marker`(
    samples: [UInt8],
    adobe: Bool,
    expected: [UInt8]
  ) throws {
    let jpeg = PictureWriter.jpeg(samples: samples, adobe: adobe)
    let pixel = try Scene.pixel(of: jpeg, .jpeg, x: 4, y: 4)
    #expect(isNear(pixel, expected, by: 25))
  }

  @Test(
    arguments: [
      (4_000, 3_000, 1_600, 2), (4_000, 3_000, 2_000, 2), (4_000, 3_000, 2_001, 1),
      (4_000, 3_000, 801, 2), (4_000, 3_000, 800, 4), (8_000, 6_000, 801, 4),
      (8_000, 6_000, 800, 8), (4_000, 3_001, 1_600, 1),
      (100, 80, 1_600, 1), (3, 12_000, 1_000, 2), (1, 12_000, 1_000, 1),
    ]
  )
  func `a JPEG is shrunk in the decoder as far as quality and its last rows allow`(
    width: Int,
    height: Int,
    longEdge: Int,
    shrink: Int
  ) {
    let stored = Dimensions(width: width, height: height)
    #expect(stored.decoderShrink(for: stored.fitted(to: .longEdge(longEdge))) == shrink)
  }
}
