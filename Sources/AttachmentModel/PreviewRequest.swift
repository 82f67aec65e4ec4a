/// A preview to be made: how large in pixels and in bytes, how cut, still or moving.
public struct PreviewRequest: Sendable, Hashable, Codable {
  /// The frame that a preview must fit.
  public enum Size: Sendable, Hashable, Codable {
    /// The longer side at most this many pixels, the other in proportion.
    case longEdge(Int)
    /// At most this wide and this high; how it fills them is the crop's.
    case within(width: Int, height: Int)
    /// As large as the picture itself.
    case original
  }

  /// What becomes of a picture whose proportions are not those of the frame.
  public enum Crop: String, Sendable, Hashable, Codable, CaseIterable {
    /// All of it is shown, in proportion; one side may be shorter than the frame's.
    case none
    /// The middle is kept.
    case centre
    /// What people look at is kept: skin, saturated colours and edges.
    case attention
    /// The part with the most detail is kept.
    case entropy
  }

  /// The frame to fit; a picture smaller than it is never enlarged; default: 1,440 pixels long.
  public var size: Size
  /// The most bytes that the encoded preview may have; default: 300 kB.
  public var limit: ByteCount
  /// How the frame is filled; only a frame with two sides can be; default: all is shown.
  public var crop: Crop
  /// Whether an animated picture stays animated, as a GIF; default: its first frame that is not
  /// blank.
  public var isAnimated: Bool
  /// The formats to choose from; default: JPEG, PNG for transparency and few colours, GIF for
  /// animations.
  ///
  /// What fits no other way is a JPEG, whether it is among them or not.
  public var formats: Set<MediaFormat>

  /// A request for a preview.
  public init(
    size: Size = .longEdge(1_440),
    limit: ByteCount = .kilobytes(300),
    crop: Crop = .none,
    isAnimated: Bool = false,
    formats: Set<MediaFormat> = [.jpeg, .png, .gif]
  ) {
    self.size = size
    self.limit = limit
    self.crop = crop
    self.isAnimated = isAnimated
    self.formats = formats
  }
}
