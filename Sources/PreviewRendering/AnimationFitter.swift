/// Searches the fullest animation within a byte limit, in at most three encodes.
///
/// The caller encodes as told, reports the size, and keeps the largest encode that fits.
package struct AnimationFitter {
  /// What to do next.
  package enum Step: Hashable {
    /// Encode this much of the animation.
    case encode(AnimationPlan)
    /// Use the largest encode that fits.
    case accept
    /// No animation fits.
    case giveUp
  }

  /// What to encode first.
  package let firstStep: Step
  private let limit: Double
  private let range: AnimationRange
  private var plan: AnimationPlan
  private var encodes = 0
  private var hasFit = false

  /// What share of the limit the n-th next encode aims at: the later, the surer.
  private static let aims = [0.9, 0.86, 0.65]
  /// A fitting encode that uses this share of the limit is good enough.
  private static let enough = 0.7

  /// A search that has not begun.
  ///
  /// - Parameters:
  ///   - limit: The most bytes.
  ///   - range: What may be taken away.
  ///   - expected: The bytes that a sample lets expect of the whole.
  ///   - share: The most that time allows to encode, as a share of the whole.
  package init(limit: Int, range: AnimationRange, expected: Int, share: Double = 1) {
    self.limit = Double(limit)
    self.range = range
    let pixels = max(0, Double(expected) - range.overhead(of: range.whole))
    let first = range.plan(within: Self.aims[0] * self.limit, pixels: pixels, most: share)
    plan = first ?? range.whole
    firstStep = first.map { .encode($0) } ?? .giveUp
  }

  /// Takes the result of the encode that was asked for, and tells what to do next.
  package mutating func next(afterEncodedSize size: Int) -> Step {
    encodes += 1
    let fits = Double(size) <= limit
    hasFit = hasFit || fits
    if fits, plan == range.whole || Double(size) >= Self.enough * limit { return .accept }
    guard encodes < Self.aims.count else { return hasFit ? .accept : .giveUp }
    // Where frames share palettes the overhead is less than expected, but never all there is.
    let pixels = max(Double(size) / 4, Double(size) - range.overhead(of: plan))
    let next = range.plan(
      within: Self.aims[encodes] * limit,
      pixels: pixels / range.cost(of: plan)
    )
    guard let next, next != plan else { return hasFit ? .accept : .giveUp }
    plan = next
    return .encode(next)
  }
}
