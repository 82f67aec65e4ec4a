import AttachmentModel
import TimeBudgets

/// Renders animated previews: fewer frames, colours and pixels until the bytes fit.
struct AnimationRenderer {
  let decoder: PictureDecoder
  let header: PictureDecoder.Header

  /// What a file's frames may have together: more takes longer to decode than any preview is worth.
  private static let sourcePixelLimit = 1_000_000_000
  /// What a GIF has room for: moving pictures take a tenth of a byte a pixel at the very least.
  private static let pixelsPerByte = 10
  /// What is kept in memory, as pixels of 4 bytes: 64 MB.
  private static let filmPixelLimit = 16_000_000
  /// Animations of so few pixels are encoded whole as quickly as a sample of them.
  private static let smallFilm = 300_000

  /// A renderer of a file that has more than one frame to be decoded; nothing for others.
  init?(decoder: PictureDecoder, header: PictureDecoder.Header) {
    guard decoder.loader.loadsAllFrames, header.frames > 1 else { return nil }
    self.decoder = decoder
    self.header = header
  }

  /// Renders one preview.
  ///
  /// - Parameter request: What is wanted.
  /// - Returns: A GIF within the limit; nothing where none can be made in the time that there is.
  func render(_ request: PreviewRequest) -> Preview? {
    // Where this fails, a still has to be made in what is left.
    let budget = TimeBudget(
      decoder.budget.remaining * 4 / 5,
      stopwatch: decoder.budget.stopwatch
    )
    guard let film = try? film(for: request, within: budget) else { return nil }
    return try? preview(of: film, limit: Int(clamping: request.limit.bytes), within: budget)
  }

  /// Decodes the frames that the preview may need, at the size that it may have.
  private func film(
    for request: PreviewRequest,
    within budget: TimeBudget
  ) throws(PictureError) -> Film? {
    let (sourcePixels, overflow) = header.dimensions.pixels
      .multipliedReportingOverflow(by: header.frames)
    guard !overflow, sourcePixels <= Self.sourcePixelLimit else { return nil }
    let decoder = PictureDecoder(loader: decoder.loader, slice: decoder.slice, budget: budget)
    let reel = try FrameReel(decoder, header)
    let upright = header.upright
    let wanted = upright.preview(for: request)
    let range = AnimationRange(
      frames: reel.count,
      longEdge: wanted.longEdge,
      milliseconds: reel.times.total
    )
    let room = min(Self.filmPixelLimit, Self.pixelsPerByte * Int(clamping: request.limit.bytes))
    let share = Double(room) / (Double(wanted.pixels) * Double(reel.count))
    guard let plan = range.plan(withPixels: share) else { return nil }
    let scaled = upright.scaled(for: request).scaled(by: plan.scale)
    let numbers = FrameTimes.evenly(plan.frames, of: reel.count)
    var window: Rectangle?
    var frames: [Picture] = []
    let start = budget.stopwatch.now
    for number in numbers {
      do throws(PictureError) {
        let frame = try reel.frame(number, scaled: scaled)
        // Every frame is cut where the first one is: the picture must not jump.
        let cut: Rectangle
        if let window {
          cut = window
        } else {
          let kept = wanted.scaled(by: plan.scale).inside(scaled)
          cut = try frame.part(of: kept, by: request.crop)
        }
        window = cut
        frames.append(try frame.part(cut).inMemory())
      } catch {
        // What decodes of a damaged animation is what there is to see of it.
        guard frames.count >= 2, !budget.isSpent else { throw error }
        break
      }
      guard isInTime(number, of: reel.count, since: start, within: budget) else { return nil }
    }
    guard frames.count >= 2 else { return nil }
    return Film(
      frames: frames,
      numbers: Array(numbers.prefix(frames.count)),
      times: reel.times,
      loops: reel.loops
    )
  }

  /// Whether decoding, as fast as so far, leaves half of the time for encoding.
  ///
  /// The first frames tell little: a machine that was busy for a moment would count as slow.
  private func isInTime(
    _ number: Int,
    of count: Int,
    since start: Duration,
    within budget: TimeBudget
  ) -> Bool {
    let taken = budget.stopwatch.now - start
    guard taken * 8 > budget.remaining else { return true }
    return taken * count / (number + 1) <= (budget.remaining + taken) / 2
  }

  private func preview(
    of film: Film,
    limit: Int,
    within budget: TimeBudget
  ) throws(PictureError) -> Preview? {
    let pixels = film.dimensions.pixels * film.frames.count
    var expected = 0
    var share = 1.0
    if pixels > Self.smallFilm {
      let start = budget.stopwatch.now
      let sample = try film.expectedSize(within: budget)
      let pace = (budget.stopwatch.now - start) / sample.sampled
      expected = sample.bytes
      // One encode may take a third of the time, so that a second one is possible.
      share = (budget.remaining / 3) / max(pace * film.frames.count, .nanoseconds(1))
    }
    var fitter = AnimationFitter(
      limit: limit,
      range: film.range,
      expected: expected,
      share: share
    )
    var best: Preview?
    var encodes = 0
    var step = fitter.firstStep
    while case .encode(let plan) = step {
      do throws(PictureError) {
        encodes += 1
        let bytes = try film.gif(plan, within: budget)
        if bytes.count <= limit, bytes.count > best?.bytes.count ?? 0 {
          best = preview(bytes, plan, film)
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

  private func preview(_ bytes: [UInt8], _ plan: AnimationPlan, _ film: Film) -> Preview {
    let size = film.dimensions.scaled(by: plan.scale)
    return Preview(
      format: .gif,
      bytes: bytes,
      width: size.width,
      height: size.height,
      quality: nil,
      encodes: 0,
      frames: plan.frames,
      droppedFrames: header.frames - plan.frames
    )
  }
}
