/// The class a platform files an attachment under, each with limits of its own.
public enum MediaKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// A still or animated picture.
  case image
  /// Sound without pictures.
  case audio
  /// Moving pictures, with or without sound.
  case movie
}
