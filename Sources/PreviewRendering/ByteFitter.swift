import Glibc

/// Searches the best JPEG within a byte limit: quality first, then dimensions.
///
/// The caller encodes as told, reports the size, and keeps the largest encode that fits.
///
/// ```swift
/// var fitter = ByteFitter(limit: 300_000, longEdge: 1_440)
/// var step = fitter.firstStep
/// while case .encode(let quality, let scale) = step {
///   step = fitter.next(afterEncodedSize: encode(quality, scale))
/// }
/// ```
package struct ByteFitter {
  /// What to do next.
  package enum Step: Hashable {
    /// Encode with this quality, the sides multiplied by `scale` (0 to 1).
    case encode(quality: Int, scale: Double)
    /// Use the largest encode that fits.
    case accept
    /// Nothing fits, not even the smallest picture.
    case cannotFit
  }

  /// Beyond q85 a JPEG nearly doubles and looks the same; below q48 it looks worse than a
  /// smaller picture.
  package static let qualities = 48...85
  /// The quality to come out at where dimensions must give way.
  private static let qualityWhenShrunk = 62
  /// Where a shrunk picture could have more than this, too much was taken off it.
  private static let ampleQuality = 72
  /// A picture that grows by less stays as it is, and gets quality instead.
  private static let leastGrowth = 1.02
  /// No picture is made smaller than this many pixels on its longer side.
  private static let smallestEdge = 16.0
  /// A fitting encode that uses this share of the limit is good enough.
  private static let enough = 0.93
  /// What share of the limit the n-th next encode aims at: the later, the surer.
  private static let aims = [0.975, 0.975, 0.955, 0.85, 0.7, 0.5]
  /// Size by scale: a little less than by area, for small pictures have more detail a pixel.
  private static let scaleExponent = 1.6

  /// What to encode first.
  package private(set) var firstStep: Step
  private let limit: Int
  private let smallestScale: Double
  private var model: SizeModel
  private var quality: Int
  private var scale = 1.0
  /// The scale that was left since nothing fitted at it.
  private var scaleTooLarge = 1.0
  /// The encode that fitted with quality to spare, from which the picture was made larger again.
  private var grownFrom: Small?
  private var hasSettled = false
  private var encodes = 0
  private var encodesAtScale = 0
  private var lowestTooLarge = Int.max
  private var hasFit = false

  /// An encode that fits, and the quality that it could have had.
  private struct Small {
    let scale: Double
    let size: Double
    let better: Int
  }

  /// A search that has not begun.
  ///
  /// - Parameters:
  ///   - limit: The most bytes.
  ///   - longEdge: The longer side of the unscaled picture in pixels.
  ///   - prediction: What a sample of the picture taught; without it the search starts at q85.
  package init(limit: Int, longEdge: Int, prediction: SizeModel? = nil) {
    self.limit = limit
    smallestScale = min(1, Self.smallestEdge / Double(max(1, longEdge)))
    model = prediction ?? SizeModel()
    quality = Self.qualities.upperBound
    firstStep = .encode(quality: quality, scale: 1)
    guard prediction != nil else { return }
    quality = model.quality(for: target, within: Self.qualities)
    if quality < Self.qualities.lowerBound {
      quality = Self.qualities.lowerBound
      shrink()
    }
    firstStep = .encode(quality: quality, scale: scale)
  }

  /// Takes the result of the encode that was asked for, and tells what to do next.
  package mutating func next(afterEncodedSize size: Int) -> Step {
    encodes += 1
    encodesAtScale += 1
    model.observe(
      quality: quality,
      size: Double(size - SizeModel.overhead),
      samePixels: encodesAtScale > 1
    )
    return size <= limit ? improve(on: size) : retreat()
  }

  /// After an encode that fits: once more only where much of the limit is unused.
  private mutating func improve(on size: Int) -> Step {
    hasFit = true
    guard Double(size) < Self.enough * Double(limit), encodes < mostEncodes else { return .accept }
    // Trying in vain costs an encode here, not the preview: so the aim is high.
    let better = min(
      model.quality(for: share(0.98), within: Self.qualities),
      lowestTooLarge - 1
    )
    guard better > quality else { return .accept }
    let small = Small(
      scale: scale,
      size: Double(max(1, size - SizeModel.overhead)),
      better: better
    )
    if scale == 1 || better <= Self.ampleQuality || grownFrom != nil || !grow(from: small) {
      quality = better
    }
    return .encode(quality: quality, scale: scale)
  }

  /// After an encode that is too large.
  private mutating func retreat() -> Step {
    lowestTooLarge = min(lowestTooLarge, quality)
    if hasFit, encodes >= mostEncodes { return .accept }
    let lower = min(model.quality(for: target, within: Self.qualities), quality - 1)
    if lower >= Self.qualities.lowerBound {
      quality = lower
      return .encode(quality: quality, scale: scale)
    }
    if hasFit {
      guard let grownFrom, grownFrom.scale < scale, !hasSettled else { return .accept }
      settle(above: grownFrom)
      return .encode(quality: quality, scale: scale)
    }
    guard scale > smallestScale else {
      guard quality > Self.qualities.lowerBound else { return .cannotFit }
      quality = Self.qualities.lowerBound
      return .encode(quality: quality, scale: scale)
    }
    shrink()
    return .encode(quality: quality, scale: scale)
  }

  /// Goes to smaller dimensions, at a quality that suits them.
  private mutating func shrink() {
    let wanted = Self.qualityWhenShrunk
    let expected = model.size(at: wanted) ?? Double(limit) * 2
    let factor = target > 0 ? pow(target / expected, 1 / Self.scaleExponent) : 0
    scaleTooLarge = scale
    scale = max(smallestScale, scale * min(0.9, factor))
    quality = target > 0 ? wanted : Self.qualities.lowerBound
    encodesAtScale = 0
    lowestTooLarge = .max
    // What is known of the larger picture is carried over, so that the slope stays learned.
    model.observe(quality: quality, size: max(1, target), samePixels: false)
  }

  /// Gives back some of the dimensions, at the same quality.
  ///
  /// Noise and sharp edges go with the pixels that they stood in: a picture that is full of them gets
  /// smaller in bytes than its scale told. By area, so that this does not go too far.
  ///
  /// - Returns: Whether there is anything to give back.
  private mutating func grow(from small: Small) -> Bool {
    let factor = (target / small.size).squareRoot()
    let larger = min(0.97 * scaleTooLarge, small.scale * factor)
    guard larger >= Self.leastGrowth * small.scale else { return false }
    grownFrom = small
    scale = larger
    encodesAtScale = 0
    lowestTooLarge = .max
    return true
  }

  /// Goes to dimensions between those that fitted and the present ones, by what both have shown; back
  /// to those that fitted, and to more quality, where there are none.
  private mutating func settle(above small: Small) {
    hasSettled = true
    quality = Self.qualityWhenShrunk
    let large = max(small.size, model.size(at: quality) ?? small.size)
    let exponent = max(Self.scaleExponent, log(large / small.size) / log(scale / small.scale))
    scaleTooLarge = scale
    let between = small.scale * pow(max(1, target / small.size), 1 / exponent)
    scale = min(0.97 * scale, between)
    if scale < Self.leastGrowth * small.scale {
      scale = small.scale
      quality = small.better
    }
    encodesAtScale = 0
    lowestTooLarge = .max
  }

  /// Once something fits, no more encodes than this are spent on using the limit up.
  ///
  /// Smaller pictures are cheaper to encode, and their files' size is harder to tell.
  private var mostEncodes: Int {
    scale < 1 ? 4 : 3
  }

  /// What the next encode aims at.
  private var target: Double {
    share(Self.aims[min(encodes, Self.aims.count - 1)])
  }

  /// A share of the limit, without the bytes that every JPEG has.
  private func share(_ share: Double) -> Double {
    Double(limit) * share - Double(SizeModel.overhead)
  }
}
