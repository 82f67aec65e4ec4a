import TimeBudgets

/// The frames of an animation in their order, with no more than one of them in memory.
///
/// libvips decodes all frames as one tall picture, from top to bottom and as far as somebody asks;
/// so only frames behind the last one that was read can be read.
package struct FrameReel {
  /// All frames, one below the other, not decoded yet.
  private let roll: Picture
  private let size: Dimensions
  private let budget: TimeBudget
  /// How many frames can be read.
  package let count: Int
  /// How long each is shown, the unreadable ones too.
  let times: FrameTimes
  /// How many times it plays, as libvips counts: 0 for ever.
  let loops: Int

  /// libvips' longest picture, in rows.
  private static let mostRows = 10_000_000

  /// Opens the first frames of a file.
  ///
  /// - Parameters:
  ///   - decoder: The decoder of an animation.
  ///   - header: Its header.
  ///   - limit: How many frames are wanted at most.
  /// - Throws: The decoder's words.
  package init(
    _ decoder: PictureDecoder,
    _ header: PictureDecoder.Header,
    limit: Int = .max
  )
    throws(PictureError)
  {
    size = header.dimensions
    budget = decoder.budget
    count = max(1, min(header.frames, limit, Self.mostRows / max(1, size.height)))
    roll = try decoder.open(frames: count, strict: false)
    let stated = roll.frameTimes
    times = FrameTimes(
      milliseconds: (0..<header.frames).map { stated.indices.contains($0) ? stated[$0] : 0 }
    )
    loops = roll.loops
  }

  /// Decodes a frame to upright sRGB pixels in memory.
  ///
  /// - Parameters:
  ///   - index: Its number, larger than those before it.
  ///   - scaled: The size to shrink it to, upright.
  /// - Returns: 8-bit pixels, with an alpha band where the file has one.
  /// - Throws: The decoder's words, or any where the budget is spent.
  package func frame(_ index: Int, scaled: Dimensions) throws(PictureError) -> Picture {
    try roll.part(Rectangle(x: 0, y: index * size.height, size: size))
      .watched(by: budget)
      .resized(to: roll.liesOnItsSide ? scaled.turned : scaled)
      .inSRGB()
      .inMemory()
      .upright()
  }
}
