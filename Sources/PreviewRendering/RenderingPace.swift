/// How long decoding and encoding take, told beforehand, so that a short budget makes a smaller
/// preview rather than none.
package enum RenderingPace {
  /// What is tried in turn where time is short: the share of the sides that were asked for.
  private static let shares = [1, 0.5, 0.25, 0.125]
  // Milliseconds a megapixel, measured on one core of a server of 2023 and doubled: who has less time
  // than these cannot count on more.
  private static let encoding = 40.0
  private static let resizing = 10.0

  /// Milliseconds that a megapixel of the source takes.
  private static func decoding(_ loader: PictureLoader) -> Double {
    switch loader {
    case .jpeg, .tiff: 8
    case .gif: 15
    case .webp: 30
    case .png: 50
    case .heif: 100
    }
  }

  /// The size to decode a picture to: as asked for, or smaller where time is short.
  ///
  /// - Parameters:
  ///   - wanted: The size that was asked for, as the picture is stored.
  ///   - stored: The size of the picture.
  ///   - loader: Its decoder.
  ///   - remaining: The time that there is.
  /// - Returns: Sides of an eighth at least.
  package static func affordable(
    _ wanted: Dimensions,
    of stored: Dimensions,
    _ loader: PictureLoader,
    within remaining: Duration
  ) -> Dimensions {
    smaller(wanted, within: remaining) { target in
      let shrink = loader == .jpeg ? Double(stored.decoderShrink(for: target)) : 1
      let source = Double(stored.pixels) / 1e6
      // A decoder that shrinks saves the resizing of what it never makes.
      return source * decoding(loader) + source / (shrink * shrink) * resizing
        + Double(target.pixels) / 1e6 * encoding
    }
  }

  /// The size to encode: as asked for, or smaller where decoding took longer than foreseen.
  package static func affordable(_ wanted: Dimensions, within remaining: Duration) -> Dimensions {
    smaller(wanted, within: remaining) { Double($0.pixels) / 1e6 * encoding }
  }

  private static func smaller(
    _ wanted: Dimensions,
    within remaining: Duration,
    milliseconds: (Dimensions) -> Double
  ) -> Dimensions {
    let sizes = shares.map { wanted.scaled(by: $0) }
    return sizes.first { .milliseconds(milliseconds($0)) <= remaining } ?? sizes[sizes.count - 1]
  }
}
