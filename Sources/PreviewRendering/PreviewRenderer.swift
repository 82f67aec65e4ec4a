import AttachmentModel
import TimeBudgets

/// Renders previews from pixels that were decoded once.
struct PreviewRenderer {
  /// Upright 8-bit sRGB pixels in memory, at least as large as every preview.
  let picture: Picture
  /// How many frames the file has.
  let frames: Int
  /// What makes animated previews, where more than one of the frames can be decoded.
  let animation: AnimationRenderer?
  /// The size of the original, where a preview of its format should not outgrow it.
  let originalSize: ByteCount?
  /// The time that rendering may spend.
  let budget: TimeBudget

  /// A JPEG that holds next to nothing is about this large; below, originals set no limit.
  private static let smallestGoal: Int64 = 8_000
  /// Up to so many pixels, Huffman tables of a picture's own cost three milliseconds or less; beyond, as
  /// much as they gain in quality is not worth a tenth of the whole time.
  private static let ownTablesLimit = 500_000
  /// Bytes a pixel that nearly every picture stays under at the best quality.
  private static let amplePixelSize = 0.5

  /// Renders one preview.
  func render(_ request: PreviewRequest) -> ImageExamination.Outcome {
    do throws(PreviewError) {
      guard request.isAnimated, frames > 1 else { return .rendered(try preview(request)) }
      if request.formats.contains(.gif), let moving = animation?.render(request) {
        return .rendered(moving)
      }
      var still = try preview(request)
      still.frames = 1
      still.droppedFrames = frames - 1
      return .rendered(still)
    } catch {
      return .unavailable(error)
    }
  }

  private func preview(_ request: PreviewRequest) throws(PreviewError) -> Preview {
    let limit = Int(clamping: request.limit.bytes)
    guard limit > 0 else {
      throw PreviewError(.cannotFit, "the limit is \(request.limit.exactly); raise it")
    }
    do throws(PictureError) {
      try checkBudget()
      let affordable = RenderingPace.affordable(
        picture.dimensions.scaled(for: request),
        within: budget.remaining
      )
      let whole = try picture.resized(to: affordable).inMemory()
      let cut = try whole.part(of: affordable.preview(for: request), by: request.crop)
      let still = try whole.part(cut).inMemory()
      var encodes = 0
      if request.formats.contains(.png),
        let preview = try lossless(still, for: request, limit: limit, encodes: &encodes)
      {
        return preview
      }
      let opaque = try still.onWhite()
      if let preview = try lossy(opaque, limit: limit, encodes: &encodes) { return preview }
    } catch {
      throw budget.isSpent
        ? spent()
        : PreviewError(.undecodable, "the preview could not be encoded: \(error.words)")
    }
    throw PreviewError(
      .cannotFit,
      "not even 16 pixels fit \(request.limit.exactly); raise the limit"
    )
  }

  /// A PNG, where the picture is made for it, or no JPEG is wanted, and it fits.
  private func lossless(
    _ still: Picture,
    for request: PreviewRequest,
    limit: Int,
    encodes: inout Int
  ) throws(PictureError) -> Preview? {
    let fewColours = PictureSample.hasFewColours(still)
    guard still.hasAlpha || fewColours || !request.formats.contains(.jpeg) else { return nil }
    let sample = try PictureSample.of(still)
    for palette in fewColours ? [true] : [false, true] {
      try checkBudget()
      if let sample {
        // A PNG of the tiles is less compressible than the whole, so the estimate is generous.
        let estimate = Double(try sample.mosaic.png(palette: palette).count) * sample.ratio
        guard estimate < 1.3 * Double(limit) else { continue }
      }
      encodes += 1
      let bytes = try still.watched(by: budget).png(palette: palette)
      if bytes.count <= limit {
        return preview(.png, bytes, still.dimensions, quality: nil, encodes: encodes)
      }
    }
    return nil
  }

  /// The best JPEG that fits.
  private func lossy(
    _ still: Picture,
    limit: Int,
    encodes: inout Int
  ) throws(PictureError) -> Preview? {
    let size = still.dimensions
    // In very small files tables of their own change more than the search for a size allows for.
    let mayOwnTables = size.pixels <= Self.ownTablesLimit && limit >= Self.smallestGoal
    let prediction = try predict(still, limit: limit, ownTables: mayOwnTables)
    let goal = goal(limit: limit, prediction: prediction)
    var fitter = ByteFitter(limit: goal, longEdge: size.longEdge, prediction: prediction)
    var best: Preview?
    var scaled = (scale: 1.0, picture: still)
    var step = fitter.firstStep
    while case .encode(let quality, let scale) = step {
      // The original's size lowers the quality only; dimensions give way to the limit alone.
      if scale < 1, goal < limit, best != nil { break }
      do throws(PictureError) {
        try checkBudget()
        if scale != scaled.scale {
          scaled = (scale, try still.resized(to: size.scaled(by: scale)).inMemory())
        }
        encodes += 1
        // At the best quality the bytes that they save buy nothing.
        let ownTables = mayOwnTables && quality < ByteFitter.qualities.upperBound
        let bytes = try scaled.picture.watched(by: budget)
          .jpeg(quality: quality, ownTables: ownTables)
        if bytes.count <= limit, Self.isBetter(bytes.count, than: best?.bytes.count, goal: goal) {
          best = preview(.jpeg, bytes, scaled.picture.dimensions, quality: quality, encodes: 0)
        }
        step = fitter.next(afterEncodedSize: bytes.count)
      } catch {
        // An encode that fits is better than none, whatever stopped the next one.
        guard best != nil else { throw error }
        step = .accept
      }
    }
    best?.encodes = encodes
    return best
  }

  /// What to aim at: the limit, or the original's size where the same format has fewer bytes.
  private func goal(limit: Int, prediction: SizeModel?) -> Int {
    guard let originalSize else { return limit }
    let goal = min(limit, Int(clamping: max(originalSize.bytes, Self.smallestGoal)))
    if let prediction,
      prediction.quality(
        for: Double(goal - SizeModel.overhead),
        within: ByteFitter.qualities
      ) < ByteFitter.qualities.lowerBound
    {
      return limit
    }
    return goal
  }

  /// Within the goal the larger encode is the better one, outside the smaller.
  private static func isBetter(_ size: Int, than best: Int?, goal: Int) -> Bool {
    guard let best else { return true }
    return size <= goal ? best > goal || size > best : best > goal && size < best
  }

  /// Learns from a sample how large the picture's JPEGs will be; nothing for small pictures, and
  /// for those that hardly ever miss what they may take.
  private func predict(
    _ still: Picture,
    limit: Int,
    ownTables: Bool
  ) throws(PictureError) -> SizeModel? {
    let ample = Double(still.dimensions.pixels) * Self.amplePixelSize
    let most = min(limit, originalSize.map { Int(clamping: $0.bytes) } ?? limit)
    guard ample > Double(most), let (mosaic, ratio) = try PictureSample.of(still) else {
      return nil
    }
    var model = SizeModel()
    var quality = ByteFitter.qualities.upperBound
    for attempt in 0..<2 {
      let size = try mosaic.jpeg(quality: quality, ownTables: ownTables).count
      model.observe(
        quality: quality,
        size: Double(size - SizeModel.overhead) * ratio,
        samePixels: attempt > 0
      )
      let likely = model.quality(
        for: Double(limit - SizeModel.overhead),
        within: ByteFitter.qualities
      )
      if likely >= quality { break }
      quality = max(likely, ByteFitter.qualities.lowerBound)
    }
    return model
  }

  private func preview(
    _ format: MediaFormat,
    _ bytes: [UInt8],
    _ size: Dimensions,
    quality: Int?,
    encodes: Int
  ) -> Preview {
    Preview(
      format: format,
      bytes: bytes,
      width: size.width,
      height: size.height,
      quality: quality,
      encodes: encodes
    )
  }

  private func checkBudget() throws(PictureError) {
    guard !budget.isSpent else { throw PictureError(words: "the budget is spent") }
  }

  private func spent() -> PreviewError {
    PreviewError(
      .budgetSpent,
      "\(budget.phrase) was spent before a preview was ready"
    )
  }
}
