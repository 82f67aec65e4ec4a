/// What decoding an image showed, and the previews made from its pixels.
public struct ImageExamination: Sendable, Hashable, Codable {
  /// How decoding went.
  public enum Decoding: Sendable, Hashable, Codable {
    /// Every pixel was decoded.
    case whole
    /// The decoder found the file cut or damaged; its words, in one line.
    case damaged(String)
  }

  /// One preview, or why there is none; in the order of the requests.
  public enum Outcome: Sendable, Hashable, Codable {
    /// It fits.
    case rendered(Preview)
    /// It could not be made.
    case unavailable(PreviewError)
  }

  /// How decoding went.
  public var decoding: Decoding
  /// Whether the colours are those of printing inks (CMYK), which not every device shows rightly.
  public var isCMYK: Bool
  /// One outcome a request.
  public var previews: [Outcome]
  /// Time spent decoding and shrinking.
  public var decodeTime: Duration
  /// Time spent encoding previews.
  public var previewTime: Duration

  /// The facts about one decoded image.
  public init(
    decoding: Decoding,
    isCMYK: Bool = false,
    previews: [Outcome],
    decodeTime: Duration,
    previewTime: Duration
  ) {
    self.decoding = decoding
    self.isCMYK = isCMYK
    self.previews = previews
    self.decodeTime = decodeTime
    self.previewTime = previewTime
  }
}
