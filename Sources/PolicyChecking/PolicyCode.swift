/// The stable names of rules; raw values are what reports print and scripts compare.
public enum PolicyCode: String, Sendable, Hashable, Codable, CaseIterable {
  // Violations.
  case empty
  case unsupportedType = "unsupported-type"
  case encrypted
  case corrupt
  case truncated
  case unsupportedVariant = "unsupported-variant"
  case noMedia = "no-media"
  case polyglot
  case tooLarge = "too-large"
  case tooManyPixels = "too-many-pixels"
  case tooManyFrames = "too-many-frames"
  case tooLong = "too-long"
  case tooSlow = "too-slow"
  case videoCodec = "video-codec"
  case audioCodec = "audio-codec"
  case mislabelled

  // Warnings.
  case filenameExtension = "extension"
  case declaredType = "declared-type"
  case platformLimit = "platform-limit"
  case notStreamable = "not-streamable"
  case animated
  case memory
  case insecureURL = "insecure-url"
  case slow
  case adts
  case hev1
  case lastFrameCut = "last-frame-cut"
  case trailingData = "trailing-data"
  case retried
  case metadataLocation = "metadata-location"
}
