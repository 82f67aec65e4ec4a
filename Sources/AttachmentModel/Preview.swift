/// A still picture, small enough to be shown where the attachment itself cannot be.
public struct Preview: Sendable, Hashable, Codable {
  /// `jpeg` or `png`.
  public var format: MediaFormat
  /// The encoded picture.
  public var bytes: [UInt8]
  /// Pixels across, upright.
  public var width: Int
  /// Pixels down, upright.
  public var height: Int
  /// The JPEG quality it was encoded with, 1 to 100; absent for PNG.
  public var quality: Int?
  /// How many times it was encoded until it fitted.
  public var encodes: Int

  /// A rendered preview.
  public init(
    format: MediaFormat,
    bytes: [UInt8],
    width: Int,
    height: Int,
    quality: Int?,
    encodes: Int
  ) {
    self.format = format
    self.bytes = bytes
    self.width = width
    self.height = height
    self.quality = quality
    self.encodes = encodes
  }
}
