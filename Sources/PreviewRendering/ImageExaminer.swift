public import AttachmentModel
public import TimeBudgets

/// Decodes an image once: finds damage in its pixels, and renders previews from them.
///
/// ```swift
/// let examiner = try ImageExaminer()
/// let examination = try examiner.examine(
///   file.slice,
///   inspection: inspection,
///   previews: [PreviewRequest()],
///   pixelLimit: 100_000_000,
///   within: TimeBudget(.seconds(30))
/// )
/// ```
public struct ImageExaminer: Sendable {
  /// Files that a decoder wants in memory as a whole may be this large.
  private static let wholeFileLimit = ByteCount.megabytes(256)
  /// Compressed text of a PNG, which libpng inflates before it gives a row: deflate packs at most
  /// 1,032 to 1, so that this much takes no more than 103 MB.
  private static let packedTextLimit = ByteCount.kilobytes(100)
  /// Frames after the first are decoded as long as all of them together have no more pixels.
  private static let animationPixelLimit = 50_000_000

  /// An examiner; loads and starts libvips where that has not happened in this process yet.
  ///
  /// - Throws: `undecodable` where libvips is not installed, or does not start.
  public init() throws(PreviewError) {
    do throws(PictureError) {
      try ImageLibrary.start()
    } catch {
      throw PreviewError(.undecodable, error.words)
    }
  }

  /// Decodes every pixel of the first frame that is not blank, and renders the previews that were asked for.
  ///
  /// Blocks the calling thread; call it from a worker thread. Further frames of a GIF or WebP are
  /// decoded too, up to 50 megapixels in all. Without previews the pixels are decoded and
  /// dropped. Damage is a finding, not an error: previews are then made of what decodes.
  ///
  /// - Parameters:
  ///   - slice: The picture: a regular file, or a part of one.
  ///   - inspection: What the structure checks found; its format chooses the decoder.
  ///   - previews: The previews to render, from the same pixels.
  ///   - pixelLimit: The most pixels that one frame may have.
  ///   - budget: The time for decoding and rendering; looked at before each encode.
  /// - Returns: How decoding went, and one outcome a preview in the order of the requests.
  /// - Throws: `too-many-pixels`, judged from the header alone; `undecodable` where no decoder is
  ///   trusted with the format or its variant; `budget-spent` where the time was over before the
  ///   pixels were decoded (later it is the outcome of the previews that are missing).
  public func examine(
    _ slice: FileSlice,
    inspection: MediaInspection,
    previews: [PreviewRequest],
    pixelLimit: Int,
    within budget: TimeBudget
  ) throws(PreviewError) -> ImageExamination {
    let decoder = try Self.decoder(slice, inspection, budget)
    try Self.check(budget)
    if let width = inspection.width, let height = inspection.height {
      try Self.check(Dimensions(width: width, height: height), pixelLimit: pixelLimit)
    }
    let start = budget.stopwatch.now
    let (header, picture, damage) = try decode(decoder, for: previews, pixelLimit: pixelLimit)
    if damage != nil, inspection.has(.unsupportedVariant) {
      throw PreviewError(
        .undecodable,
        "no decoder reads this variant of \(inspection.format.rawValue)"
      )
    }
    let decoded = budget.stopwatch.now
    let renderer = picture.map {
      PreviewRenderer(
        picture: $0,
        frames: max(inspection.frames ?? 1, header?.frames ?? 1),
        animation: header.flatMap { AnimationRenderer(decoder: decoder, header: $0) },
        originalSize: inspection.format == .jpeg ? inspection.size : nil,
        budget: budget
      )
    }
    let outcomes = previews.map { request in
      renderer?.render(request)
        ?? .unavailable(PreviewError(.undecodable, "no pixels decode: \(damage ?? "no words")"))
    }
    return ImageExamination(
      decoding: damage.map { .damaged($0) } ?? .whole,
      isCMYK: header?.isCMYK ?? false,
      previews: outcomes,
      decodeTime: decoded - start,
      previewTime: budget.stopwatch.now - decoded
    )
  }

  /// Decodes strictly, and where that finds damage once more as far as it goes.
  private func decode(
    _ decoder: PictureDecoder,
    for previews: [PreviewRequest],
    pixelLimit: Int
  ) throws(PreviewError) -> (
    header: PictureDecoder.Header?, picture: Picture?, damage: String?
  ) {
    let header: PictureDecoder.Header
    do throws(PictureError) {
      header = try decoder.header()
    } catch {
      try Self.check(decoder.budget)
      return (nil, nil, error.words)
    }
    try Self.check(header.dimensions, pixelLimit: pixelLimit)
    var picture: Picture?
    do throws(PictureError) {
      if previews.isEmpty {
        try decoder.drain(header)
      } else {
        picture = try decoder.decode(header, for: previews, strict: true)
      }
      try decoder.drainFurtherFrames(header, pixelLimit: Self.animationPixelLimit)
      return (header, picture, nil)
    } catch {
      try Self.check(decoder.budget)
      if picture == nil, !previews.isEmpty {
        picture = try? decoder.decode(header, for: previews, strict: false)
        try Self.check(decoder.budget)
      }
      return (header, picture, error.words)
    }
  }

  private static func decoder(
    _ slice: FileSlice,
    _ inspection: MediaInspection,
    _ budget: TimeBudget
  ) throws(PreviewError) -> PictureDecoder {
    guard let loader = PictureLoader(inspection.format) else {
      throw PreviewError(.undecodable, "no decoder is trusted with \(inspection.format.rawValue)")
    }
    guard inspection.packedTextSize <= packedTextLimit else {
      throw PreviewError(
        .undecodable,
        "it carries \(inspection.packedTextSize.exactly) of compressed text, which the decoder would "
          + "unpack whole; the limit is \(packedTextLimit.exactly)"
      )
    }
    guard !loader.readsWholeFile || inspection.size <= wholeFileLimit else {
      throw PreviewError(
        .undecodable,
        "the decoder needs all \(inspection.size.exactly) in memory; "
          + "the limit is \(wholeFileLimit.exactly)"
      )
    }
    return PictureDecoder(
      loader: loader,
      slice: slice,
      budget: budget
    )
  }

  private static func check(_ size: Dimensions, pixelLimit: Int) throws(PreviewError) {
    guard size.pixels > pixelLimit else { return }
    throw PreviewError(
      .tooManyPixels,
      "the image is \(size.width) x \(size.height) pixels; the limit is \(pixelLimit) pixels"
    )
  }

  private static func check(_ budget: TimeBudget) throws(PreviewError) {
    guard budget.isSpent else { return }
    throw PreviewError(
      .budgetSpent,
      "\(budget.phrase) was spent before the image was decoded"
    )
  }
}
