public import AttachmentModel

/// What is to be found out about a file.
public struct ExaminationQuestion: Sendable, Hashable, Codable {
  /// Whether pixels are decoded; otherwise structure alone is looked at.
  public var decodesPixels: Bool
  /// The previews to render, of the picture itself or of a sound's cover; none need be.
  public var previews: [PreviewRequest]
  /// The most pixels that a frame may have to be decoded.
  public var pixelLimit: Int
  /// What an earlier answer found the file to be: it is then not inspected again.
  public var inspection: MediaInspection?

  /// A question about a file.
  ///
  /// - Parameters:
  ///   - decodesPixels: Whether pixels are decoded.
  ///   - previews: The previews to render.
  ///   - pixelLimit: The most pixels of a frame.
  ///   - inspection: What the file is, where that is known.
  public init(
    decodesPixels: Bool,
    previews: [PreviewRequest],
    pixelLimit: Int,
    inspection: MediaInspection? = nil
  ) {
    self.decodesPixels = decodesPixels
    self.previews = previews
    self.pixelLimit = pixelLimit
    self.inspection = inspection
  }
}
