import AttachmentModel
import PreviewRendering
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CropTests {
  private static let cutting: [PreviewRequest.Crop] = [.centre, .attention, .entropy]

  private func size(
    of png: [UInt8],
    _ width: Int,
    _ height: Int,
    _ crop: PreviewRequest.Crop
  ) throws -> [Int] {
    let request = PreviewRequest(size: .within(width: width, height: height), crop: crop)
    let preview = try Scene.preview(Scene.examine(png, .png, [request]))
    return [preview.width, preview.height]
  }

  @Test(arguments: cutting, [(200, 100), (100, 200), (150, 150), (300, 200)])
  func `a crop fills the frame exactly`(
    crop: PreviewRequest.Crop,
    frame: (width: Int, height: Int)
  ) throws {
    let png = Scene.detailed(width: 450, height: 300)
    #expect(try size(of: png, frame.width, frame.height, crop) == [frame.width, frame.height])
  }

  @Test(
    arguments: cutting,
    [
      ([200, 100], [60, 30]), ([100, 100], [40, 40]), ([16, 1_600], [1, 40]),
      ([60, 20], [60, 20]),
    ] as [([Int], [Int])]
  )
  func `a picture smaller than the frame is cut to its proportions and not enlarged`(
    crop: PreviewRequest.Crop,
    sizes: (frame: [Int], expected: [Int])
  ) throws {
    let png = Scene.detailed(width: 60, height: 40)
    #expect(try size(of: png, sizes.frame[0], sizes.frame[1], crop) == sizes.expected)
  }

  @Test func `without a crop all is shown inside the frame`() throws {
    let png = Scene.detailed(width: 450, height: 300)
    #expect(try size(of: png, 100, 100, .none) == [100, 67])
  }

  @Test func `a frame is filled by the upright picture`() throws {
    let jpeg = PictureWriter.oriented(try Scene.detailedJPEG(width: 300, height: 200), 6)
    let request = PreviewRequest(size: .within(width: 100, height: 100), crop: .centre)
    let wide = PreviewRequest(size: .within(width: 200, height: 100), crop: .centre)
    let examination = try Scene.examine(jpeg, .jpeg, [request, wide])
    #expect(Scene.sizes(examination) == [[100, 100], [200, 100]])
  }

  @Test func `several frames are filled from one decode, each by its own crop`() throws {
    let png = Scene.detailed(width: 450, height: 300)
    let examination = try Scene.examine(
      png,
      .png,
      [
        PreviewRequest(size: .within(width: 200, height: 100), crop: .attention),
        PreviewRequest(size: .longEdge(90)),
        PreviewRequest(size: .within(width: 64, height: 64), crop: .entropy),
        PreviewRequest(size: .within(width: 300, height: 300), crop: .centre),
      ]
    )
    #expect(Scene.sizes(examination) == [[200, 100], [90, 60], [64, 64], [300, 300]])
  }

  /// 120 x 40 with a saturated, detailed square of 40 at `x`, on a calm grey.
  private func scene(squareAt left: Int) -> [UInt8] {
    var state: UInt32 = 3
    return PictureWriter.png(width: 120, height: 40, bands: 3) { x, y in
      state = state &* 1_664_525 &+ 1_013_904_223
      guard (left..<left + 40).contains(x) else { return [120, UInt8(121 + y % 2), 120] }
      return [UInt8(200 + state >> 28), UInt8(state >> 26), UInt8(state >> 27)]
    }
  }

  private func keptCentre(_ png: [UInt8], _ crop: PreviewRequest.Crop) throws -> [UInt8] {
    let request = PreviewRequest(size: .within(width: 40, height: 40), crop: crop)
    let preview = try Scene.preview(Scene.examine(png, .png, [request]))
    return try Scene.pixel(of: preview.bytes, preview.format, x: 20, y: 20)
  }

  @Test(arguments: [PreviewRequest.Crop.attention, .entropy], [0, 80])
  func `what is looked at is kept, wherever it is`(crop: PreviewRequest.Crop, left: Int) throws {
    let pixel = try keptCentre(scene(squareAt: left), crop)
    #expect(pixel[0] > 170 && pixel[1] < 110, "\(pixel)")
  }

  @Test(arguments: [0, 40, 80])
  func `the middle is kept whatever it shows`(left: Int) throws {
    let pixel = try keptCentre(scene(squareAt: left), .centre)
    #expect((pixel[0] > 170) == (left == 40), "\(pixel)")
  }

  @Test func `the frame's ratio holds where the byte limit makes the picture smaller`() throws {
    let png = Scene.detailed(width: 900, height: 600)
    let request = PreviewRequest(
      size: .within(width: 600, height: 300),
      limit: .kilobytes(5),
      crop: .centre
    )
    let preview = try Scene.preview(Scene.examine(png, .png, [request]))
    #expect(preview.bytes.count <= 5_000)
    #expect(preview.width < 600)
    #expect(abs(preview.width - 2 * preview.height) <= 1)
  }
}
