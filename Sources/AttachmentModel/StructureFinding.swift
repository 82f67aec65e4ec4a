/// Something that a structure check noticed in a file, a fact and no judgement.
public struct StructureFinding: Sendable, Hashable, Codable {
  /// What was noticed; each is explained where it is judged.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// The file ends before its own structure says.
    case truncated
    /// The structure contradicts itself.
    case corrupt
    /// A variant of the format that decoders in use refuse (arithmetic or lossless JPEG).
    case unsupportedVariant = "unsupported-variant"
    /// A container without a usable track, or an image without a frame.
    case noMedia = "no-media"
    /// The samples are encrypted.
    case encrypted
    /// Another format, dangerous or of another class, stands in the same bytes.
    case polyglot
    /// Bytes behind the end that belong to no known extension of the format.
    case trailingData = "trailing-data"
    /// `moov` behind `mdat`: playback cannot begin before the last byte.
    case notStreamable = "not-streamable"
    /// HEVC whose parameter sets may lie in the samples (`hev1`), which Apple's players refuse.
    case hev1
    /// The last frame of a frame stream is cut, the rest plays.
    case lastFrameCut = "last-frame-cut"
    /// A position on Earth is written in the metadata.
    case metadataLocation = "metadata-location"
  }

  /// What was noticed.
  public var kind: Kind
  /// What exactly, and where, in one line: lower-case, with values, no period.
  public var detail: String

  /// A finding with its explanation.
  public init(_ kind: Kind, _ detail: String) {
    self.kind = kind
    self.detail = detail
  }
}
