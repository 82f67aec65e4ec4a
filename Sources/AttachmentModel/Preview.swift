/// A picture, small enough to be shown where the attachment itself cannot be.
public struct Preview: Sendable, Hashable, Codable {
  /// `jpeg` or `png`; `gif` where it is animated.
  public var format: MediaFormat
  /// The encoded picture.
  public var bytes: [UInt8]
  /// Pixels across, upright.
  public var width: Int
  /// Pixels down, upright.
  public var height: Int
  /// The JPEG quality it was encoded with, 1 to 100; absent otherwise.
  public var quality: Int?
  /// How many times it was encoded until it fitted.
  public var encodes: Int
  /// Frames, where an animated preview was asked for of an animation; 1 where only a still fitted.
  public var frames: Int?
  /// How many of the animation's frames were left out to fit; present together with `frames`.
  public var droppedFrames: Int?

  /// A rendered preview.
  public init(
    format: MediaFormat,
    bytes: [UInt8],
    width: Int,
    height: Int,
    quality: Int?,
    encodes: Int,
    frames: Int? = nil,
    droppedFrames: Int? = nil
  ) {
    self.format = format
    self.bytes = bytes
    self.width = width
    self.height = height
    self.quality = quality
    self.encodes = encodes
    self.frames = frames
    self.droppedFrames = droppedFrames
  }
}
