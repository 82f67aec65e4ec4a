import AttachmentModel
import PreviewRendering
import TimeBudgets

/// Pictures that tests decode, and the calls that all of them make.
enum Scene {
  /// A picture with detail everywhere, so that its JPEG has many bytes; the same each time.
  static func detailed(width: Int, height: Int) -> [UInt8] {
    var state: UInt32 = 7
    return PictureWriter.png(width: width, height: height, bands: 3) { x, y in
      state = state &* 1_664_525 &+ 1_013_904_223
      let noise = UInt8(state >> 27)
      return [UInt8(x * 200 / width) + noise, UInt8(y * 200 / height) + noise, noise * 5]
    }
  }

  /// A JPEG of the picture, made by the renderer itself.
  static func detailedJPEG(width: Int, height: Int) throws -> [UInt8] {
    let png = detailed(width: width, height: height)
    let request = PreviewRequest(size: .longEdge(10_000), limit: .megabytes(10))
    return try preview(examine(png, .png, [request])).bytes
  }

  static func inspection(_ format: MediaFormat, size: ByteCount) -> MediaInspection {
    MediaInspection(format: format, size: size)
  }

  static func examine(
    _ bytes: [UInt8],
    _ format: MediaFormat,
    _ previews: [PreviewRequest] = [PreviewRequest()],
    pixelLimit: Int = 100_000_000,
    within budget: TimeBudget = TimeBudget(.seconds(60))
  ) throws -> ImageExamination {
    let file = ScratchFile(bytes)
    return try ImageExaminer().examine(
      file.slice,
      inspection: inspection(format, size: file.size),
      previews: previews,
      pixelLimit: pixelLimit,
      within: budget
    )
  }

  /// The only preview, or the error that stands in its place.
  static func preview(_ examination: ImageExamination) throws -> Preview {
    switch examination.previews[0] {
    case .rendered(let preview): return preview
    case .unavailable(let error): throw error
    }
  }

  /// Width and height of each preview; nothing in the place of one that could not be made.
  static func sizes(_ examination: ImageExamination) -> [[Int]?] {
    examination.previews.map { outcome in
      guard case .rendered(let preview) = outcome else { return nil }
      return [preview.width, preview.height]
    }
  }

  /// The frames of a GIF as RGB or RGBA rows, as an animated preview would be made of them.
  static func frames(of gif: [UInt8]) throws -> [[UInt8]] {
    _ = try ImageExaminer()
    let file = ScratchFile(gif)
    guard let loader = PictureLoader(.gif) else { return [] }
    let decoder = PictureDecoder(
      loader: loader,
      slice: file.slice,
      budget: TimeBudget(.seconds(60))
    )
    let header = try decoder.header()
    let reel = try FrameReel(decoder, header)
    return try (0..<reel.count).map { number in
      try reel.frame(number, scaled: header.upright).withRows { Array($0) } ?? []
    }
  }

  /// The decoded pixel at a place, as the previews are made from it.
  static func pixel(
    of bytes: [UInt8],
    _ format: MediaFormat,
    x: Int,
    y: Int
  ) throws -> [UInt8] {
    _ = try ImageExaminer()
    let file = ScratchFile(bytes)
    guard let loader = PictureLoader(format) else { return [] }
    let decoder = PictureDecoder(
      loader: loader,
      slice: file.slice,
      budget: TimeBudget(.seconds(60))
    )
    let picture = try decoder.decode(
      decoder.header(),
      for: [PreviewRequest(size: .original)],
      strict: true
    )
    let start = (y * picture.dimensions.width + x) * picture.bands
    return picture.withRows { Array($0[start..<start + picture.bands]) } ?? []
  }
}
