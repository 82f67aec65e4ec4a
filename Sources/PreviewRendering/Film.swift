import AttachmentModel
import TimeBudgets

/// The frames that an animated preview is made of, decoded once and kept in memory.
struct Film {
  /// One picture a frame, all of one size.
  let frames: [Picture]
  /// The number of each of them in the file.
  let numbers: [Int]
  /// How long the file shows each of its frames.
  let times: FrameTimes
  /// How many times it plays, as libvips counts: 0 for ever.
  let loops: Int

  var dimensions: Dimensions {
    frames[0].dimensions
  }

  /// What may be taken away from it.
  var range: AnimationRange {
    AnimationRange(
      frames: frames.count,
      longEdge: dimensions.longEdge,
      milliseconds: times.total
    )
  }

  /// Encodes as much of it as a plan keeps.
  func gif(_ plan: AnimationPlan, within budget: TimeBudget) throws(PictureError) -> [UInt8] {
    let kept = FrameTimes.evenly(plan.frames, of: frames.count)
    return try gif(
      kept,
      size: dimensions.scaled(by: plan.scale),
      bits: plan.bits,
      showing: times.shown(keeping: kept.map { numbers[$0] }),
      within: budget
    )
  }

  /// Tells from a few frames and what changes behind them how large all of it will be.
  ///
  /// - Parameter budget: The time that this may take.
  /// - Returns: The bytes to expect, and how many frames were encoded to learn it.
  /// - Throws: The encoder's words, or any where the budget is spent.
  func expectedSize(within budget: TimeBudget) throws(PictureError) -> (bytes: Int, sampled: Int) {
    let last = frames.count - 2
    let places = Set([1, 3, 5].map { min(last, $0 * frames.count / 6) }).filter { $0 >= 0 }.sorted()
    func size(_ chosen: [Int]) throws(PictureError) -> Int {
      let times = [Int](repeating: 100, count: chosen.count)
      return try gif(chosen, size: dimensions, bits: 8, showing: times, within: budget).count
    }
    var alone = 0
    var changes = 0
    for place in places {
      let first = try size([place])
      alone += first
      changes += max(0, try size([place, place + 1]) - first)
    }
    let bytes = (alone + changes * (frames.count - 1)) / max(1, places.count)
    return (bytes, 3 * places.count)
  }

  private func gif(
    _ kept: [Int],
    size: Dimensions,
    bits: Int,
    showing times: [Int],
    within budget: TimeBudget
  ) throws(PictureError) -> [UInt8] {
    var pictures: [Picture] = []
    // Each in memory at once: libvips would keep buffers for every frame that it has to resize.
    for index in kept { pictures.append(try frames[index].resized(to: size).inMemory()) }
    return try Picture.roll(pictures, times: times, loops: loops)
      .watched(by: budget)
      .gif(bits: bits)
  }
}
