extension PolicyCode {
  /// Whether the rule only warns; a warning never changes the verdict.
  public var isWarning: Bool {
    switch self {
    case .empty, .unsupportedType, .encrypted, .corrupt, .truncated, .unsupportedVariant, .noMedia,
      .polyglot, .tooLarge, .tooManyPixels, .tooManyFrames, .tooLong, .tooSlow, .videoCodec,
      .audioCodec, .mislabelled:
      false
    case .filenameExtension, .declaredType, .platformLimit, .notStreamable, .animated, .memory,
      .insecureURL, .slow, .adts, .hev1, .lastFrameCut, .trailingData, .retried,
      .metadataLocation:
      true
    }
  }

  /// What the rule means, in one line without a period.
  public var summary: String {
    switch self {
    case .empty: "there are 0 bytes"
    case .unsupportedType: "recognised, but of a type that the policy does not accept"
    case .encrypted: "the samples are encrypted, so no device can play them"
    case .corrupt:
      "the structure contradicts itself, or nothing recognisable stands behind an accepted "
        + "extension, or there are under 16 bytes"
    case .truncated: "the file ends before its own structure says"
    case .unsupportedVariant: "a variant of the format that decoders in use refuse"
    case .noMedia: "a container without a usable track, or an image without a frame"
    case .polyglot: "two formats at once, one of them dangerous or of another class"
    case .tooLarge: "more bytes than the policy allows"
    case .tooManyPixels: "more pixels in a frame than the policy allows"
    case .tooManyFrames: "more frames than the policy allows"
    case .tooLong: "a longer playing time than the policy allows"
    case .tooSlow: "would not arrive in time over the policy's network"
    case .videoCodec: "a video codec that the policy does not accept"
    case .audioCodec: "an audio codec that the policy does not accept"
    case .mislabelled:
      "the extension or type hint names another class, or a format whose decoder would fail"
    case .filenameExtension:
      "no extension, or one that is not this format's, in the same class; or an unknown type hint"
    case .declaredType: "the Content-Type names another format, or none in particular"
    case .platformLimit: "accepted here, but over the limits of Apple's table"
    case .notStreamable: "moov stands behind mdat: playback cannot begin before the last byte"
    case .animated: "an animation, of which a device may show the first frame only"
    case .memory: "decoded it comes near what a service extension may hold"
    case .insecureURL: "fetched over http, which App Transport Security blocks"
    case .slow: "misses the budget on a named network"
    case .adts: "raw AAC, which Apple's table does not list"
    case .hev1: "HEVC tagged hev1, which Apple's players refuse"
    case .lastFrameCut: "the last frame of the stream is cut; the rest plays"
    case .trailingData: "bytes behind the end that belong to no known part of the format"
    case .retried: "came only after a retry, which a phone may not make"
    case .metadataLocation: "the metadata tell a position on Earth"
    }
  }
}
