import Glibc

/// How a JPEG's size follows from its quality and dimensions, learned from encodes.
///
/// libjpeg multiplies its quantisation tables by `200 - 2q` percent (from q50 up; by `5000 / q`
/// below), and for one picture the logarithm of the size falls about linearly with the logarithm
/// of that factor. One encode fixes the line's height, two fix its slope too.
package struct SizeModel {
  /// Headers and standard tables, which no quality makes smaller.
  package static let overhead = 620

  /// ln(size) by ln(quantisation factor), to begin with: the mean over photographs.
  private var slope = 0.7
  private var anchor: (fineness: Double, size: Double)?

  /// A model of a picture that was not encoded yet.
  package init() {}

  /// Learns from an encode; a second one of the same pixels teaches the slope.
  package mutating func observe(quality: Int, size: Double, samePixels: Bool) {
    let point = (fineness: Self.fineness(quality), size: log(max(1, size)))
    if samePixels, let anchor, abs(point.fineness - anchor.fineness) > 0.03 {
      let measured = (point.size - anchor.size) / (point.fineness - anchor.fineness)
      slope = min(1.2, max(0.35, measured))
    }
    anchor = point
  }

  /// The size to expect at a quality; nothing before the first encode.
  package func size(at quality: Int) -> Double? {
    anchor.map { exp($0.size + slope * (Self.fineness(quality) - $0.fineness)) }
  }

  /// The highest quality within bounds whose expected size is at most `size`.
  ///
  /// - Returns: The lowest one less one where even that is expected to be larger.
  package func quality(for size: Double, within bounds: ClosedRange<Int>) -> Int {
    guard anchor != nil, size > 0 else { return bounds.lowerBound - 1 }
    return bounds.reversed().first { (self.size(at: $0) ?? .infinity) <= size }
      ?? bounds.lowerBound - 1
  }

  /// The negative logarithm of libjpeg's quantisation factor.
  private static func fineness(_ quality: Int) -> Double {
    let percent = quality < 50 ? 5_000 / Double(max(1, quality)) : 200 - 2 * Double(quality)
    return -log(max(1, percent))
  }
}
