import AttachmentModel
import PreviewRendering
import TestSupport
import Testing
import TimeBudgets

@Suite(.timeLimit(.minutes(1)))
struct AnimatedPreviewTests {
  private static let colours: [[UInt8]] = [
    [220, 30, 30], [30, 200, 40], [40, 50, 220], [240, 220, 40],
  ]

  /// Frames of bars of one colour and another, with palettes of their own.
  private static func bars(
    _ count: Int,
    hundredths: (Int) -> Int = { _ in 10 }
  ) -> [GIFWriter.Frame] {
    (0..<count).map { number in
      GIFWriter.Frame(
        width: 64,
        height: 48,
        palette: [colours[number % 4], colours[(number + 1) % 4]],
        hundredths: hundredths(number)
      ) { x, _ in UInt8((x / 8 + number) % 2) }
    }
  }

  /// A picture without a pattern in each of the frames.
  private static func noise(_ count: Int, width: Int = 160, height: Int = 120) -> [UInt8] {
    var state: UInt32 = 5
    let grey: [[UInt8]] = (0..<16).map { step in
      let light = UInt8(step * 16)
      return [light, light, 255 - light]
    }
    let frames = (0..<count).map { _ in
      GIFWriter.Frame(width: width, height: height, palette: grey, hundredths: 7) { _, _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return UInt8(state >> 28)
      }
    }
    return GIFWriter(width: width, height: height).file(frames)
  }

  private func preview(
    _ gif: [UInt8],
    limit: Int64 = 300_000,
    size: PreviewRequest.Size = .longEdge(1_440),
    crop: PreviewRequest.Crop = .none,
    within budget: TimeBudget = TimeBudget(.seconds(60))
  ) throws -> Preview {
    let request = PreviewRequest(
      size: size,
      limit: ByteCount(limit),
      crop: crop,
      isAnimated: true
    )
    return try Scene.preview(Scene.examine(gif, .gif, [request], within: budget))
  }

  @Test(arguments: [nil, 0, 1, 3, 100] as [Int?])
  func `an animation that fits keeps frames, times and repetitions`(repetitions: Int?) throws {
    var writer = GIFWriter(width: 64, height: 48)
    writer.repetitions = repetitions
    writer.comment = "the place where this was made"
    let source = writer.file(Self.bars(5) { 5 + $0 * 3 })
    let preview = try preview(source)
    #expect(preview.format == .gif)
    #expect(preview.frames == 5)
    #expect(preview.droppedFrames == 0)
    #expect(preview.encodes == 1)
    #expect((preview.width, preview.height) == (64, 48))
    let reader = GIFReader(preview.bytes)
    #expect(reader.hundredths == [5, 8, 11, 14, 17])
    #expect(reader.repetitions == GIFReader(source).repetitions)
    #expect(!reader.hasComment)
  }

  @Test(arguments: [60_000, 20_000, 6_000] as [Int64])
  func `a limit that binds costs frames and pixels, and no time`(limit: Int64) throws {
    let preview = try preview(Self.noise(24), limit: limit)
    try #require(preview.format == .gif)
    #expect(preview.bytes.count <= limit)
    #expect(preview.encodes <= 3)
    let frames = try #require(preview.frames)
    let dropped = try #require(preview.droppedFrames)
    #expect(frames + dropped == 24)
    #expect(dropped > 0)
    #expect(preview.width < 160)
    let reader = GIFReader(preview.bytes)
    #expect(reader.hundredths.count == frames)
    #expect(reader.hundredths.reduce(0, +) == 24 * 7)
  }

  @Test func `where no animation fits, a still says how much is missing`() throws {
    let preview = try preview(Self.noise(24), limit: 900)
    #expect(preview.format == .jpeg)
    #expect(preview.bytes.count <= 900)
    #expect(preview.frames == 1)
    #expect(preview.droppedFrames == 23)
  }

  @Test func `where not even a still fits, there is no preview`() throws {
    #expect(throws: PreviewError.self) { try preview(Self.noise(4), limit: 10) }
  }

  @Test func `a picture that does not move says nothing of frames`() throws {
    let still = GIFWriter(width: 64, height: 48).file(Self.bars(1))
    let preview = try preview(still)
    #expect(preview.format == .png)
    #expect(preview.frames == nil)
    #expect(preview.droppedFrames == nil)
  }

  @Test func `without the wish an animation becomes a still`() throws {
    let gif = GIFWriter(width: 64, height: 48).file(Self.bars(3))
    let preview = try Scene.preview(Scene.examine(gif, .gif))
    #expect(preview.format == .png)
    #expect(preview.frames == nil)
  }

  @Test(arguments: PreviewRequest.Crop.allCases)
  func `frames are cut alike`(crop: PreviewRequest.Crop) throws {
    let gif = GIFWriter(width: 64, height: 48).file(Self.bars(3))
    let preview = try preview(gif, size: .within(width: 24, height: 24), crop: crop)
    #expect(preview.frames == 3)
    #expect([preview.width, preview.height] == (crop == .none ? [24, 18] : [24, 24]))
  }

  @Test func `an animation cut in the middle moves as far as it decodes`() throws {
    let gif = GIFWriter(width: 64, height: 48).file(Self.bars(6))
    let preview = try preview(Array(gif.prefix(gif.count * 2 / 3)))
    #expect(preview.format == .gif)
    #expect(try #require(preview.frames) >= 2)
  }

  @Test(arguments: [300, 1_000, 2_000, 4_000])
  func `a budget that is short makes a still rather than nothing`(readings: Int) throws {
    let watch = ManualStopwatch()
    // Each look at the time takes a millisecond, so that it is over in a different place each.
    let ticking = Stopwatch {
      watch.advance(by: .milliseconds(1))
      return watch.stopwatch.now
    }
    let budget = TimeBudget(.milliseconds(readings), stopwatch: ticking)
    do {
      let preview = try preview(Self.noise(40), limit: 30_000, within: budget)
      #expect(preview.frames ?? 0 >= 1)
      #expect(preview.bytes.count <= 30_000)
    } catch let error as PreviewError {
      #expect(error.code == .budgetSpent)
    }
  }

  /// Three frames on a canvas that they do not cover, with something see-through in each.
  private static func patches(_ disposal: GIFWriter.Disposal) -> [UInt8] {
    let frames = (0..<4).map { number in
      GIFWriter.Frame(
        left: number * 8,
        top: number * 4,
        width: 32,
        height: 24,
        palette: [colours[number], [0, 0, 0], colours[3 - number]],
        transparent: 1,
        disposal: number == 0 ? .keep : disposal
      ) { x, y in x < 8 ? 0 : y < 12 ? 1 : 2 }
    }
    return GIFWriter(width: 64, height: 48).file(frames)
  }

  @Test(
    .enabled(if: ReferenceDecoder.isInstalled, "ImageMagick is not installed"),
    arguments: GIFWriter.Disposal.allCases
  )
  func `each frame looks as another program shows the original's`(
    disposal: GIFWriter.Disposal
  ) async throws {
    let source = Self.patches(disposal)
    let preview = try preview(source)
    #expect(preview.frames == 4)
    let distance = try #require(
      ColourDistance.between(
        try await ReferenceDecoder.pixels(of: source),
        try await ReferenceDecoder.pixels(of: preview.bytes)
      )
    )
    // Colours that differ by up to 8 from the frame before may stay.
    #expect(distance.most <= 9, "mean \(distance.mean)")
  }

  @Test func `palettes of their own are right in each frame`() throws {
    let gif = GIFWriter(width: 64, height: 48).file(Self.bars(4))
    let preview = try preview(gif)
    for (number, colour) in Self.colours.enumerated() {
      let frames = try Scene.frames(of: preview.bytes)
      let pixel = Array(frames[number][0..<3])
      let expected = number.isMultiple(of: 2) ? colour : Self.colours[(number + 1) % 4]
      #expect(zip(pixel, expected).allSatisfy { abs(Int($0) - Int($1)) <= 9 }, "\(number) \(pixel)")
    }
  }
}
