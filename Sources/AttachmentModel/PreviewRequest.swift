/// A preview to be made: how large in pixels, and in bytes.
public struct PreviewRequest: Sendable, Hashable, Codable {
  /// The frame that a preview must fit.
  public enum Size: Sendable, Hashable, Codable {
    /// The longer side at most this many pixels, the other in proportion.
    case longEdge(Int)
    /// At most this wide and this high, in proportion.
    case within(width: Int, height: Int)
  }

  /// The frame to fit; a picture smaller than it is never enlarged; default: 1,440 pixels long.
  public var size: Size
  /// The most bytes that the encoded preview may have; default: 300 kB.
  public var limit: ByteCount

  /// A request for a preview.
  public init(size: Size = .longEdge(1_440), limit: ByteCount = .kilobytes(300)) {
    self.size = size
    self.limit = limit
  }
}
