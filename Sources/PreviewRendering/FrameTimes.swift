/// How long each frame of an animation is shown, and how long where others are dropped.
package struct FrameTimes: Hashable {
  /// As the file states them, in milliseconds; one a frame.
  package let milliseconds: [Int]

  /// Times as a file states them; what is negative counts as nothing.
  package init(milliseconds: [Int]) {
    self.milliseconds = milliseconds.map { max(0, $0) }
  }

  /// What a GIF can state at most, in milliseconds: 65,535 hundredths of a second.
  private static let longest = 655_350

  /// The times of the frames that are kept, in whole hundredths of a second, as a GIF has them.
  ///
  /// A frame's time grows by those of the dropped frames behind it, so that the whole takes as
  /// long as before. Where something is dropped, a time of up to 10 ms counts as 100 ms, for that
  /// is what browsers and phones make of it.
  ///
  /// - Parameter kept: The numbers of the kept frames, ascending from 0.
  /// - Returns: Milliseconds, one a kept frame.
  package func shown(keeping kept: [Int]) -> [Int] {
    var exact = 0
    var written = 0
    return kept.indices.map { position in
      let end = position + 1 < kept.count ? kept[position + 1] : milliseconds.count
      let group = milliseconds[min(kept[position], end)..<end]
      exact += group.count == 1 ? group.reduce(0, +) : group.reduce(0) { $0 + Self.felt($1) }
      // Rounded against the sum, so that errors do not add up.
      let time = min(Self.longest, max(0, (exact - written + 5) / 10 * 10))
      written += time
      return time
    }
  }

  /// Numbers spread evenly over all frames, the first one among them.
  package static func evenly(_ count: Int, of total: Int) -> [Int] {
    let count = max(1, min(count, total))
    return (0..<count).map { $0 * total / count }
  }

  /// The whole, as a player shows it.
  package var total: Int {
    milliseconds.reduce(0) { $0 + Self.felt($1) }
  }

  private static func felt(_ time: Int) -> Int {
    time <= 10 ? 100 : time
  }
}
