import AttachmentModel

/// What leads to which code, which number of Apple's, and which remedy: all of it, in one place.
///
/// The order of the rows is the order of precedence. Rows of one code are alternatives: the first
/// that applies speaks for it.
public enum DecisionTable {
  /// One line of the table.
  public struct Row: Sendable, Hashable {
    /// What must be seen in the evidence.
    public let trait: DecisionTrait
    /// The violation or warning that it is.
    public let code: PolicyCode
    /// Apple's `UNError.Code`, where the system would answer with one.
    ///
    /// 101 unrecognised type, 102 invalid file size, 105 corrupt. What Apple does not document,
    /// such as codecs, has none.
    public let unError: Int?
    /// The smallest change that would help.
    public let remedy: Remedy

    init(_ trait: DecisionTrait, _ code: PolicyCode, _ unError: Int? = nil, _ remedy: Remedy) {
      self.trait = trait
      self.code = code
      self.unError = unError
      self.remedy = remedy
    }
  }

  /// Every rule, in the order of precedence: violations first, warnings behind.
  public static let rows: [Row] = [
    Row(.noBytes, .empty, 105, .serveBytes),

    Row(.endedForType, .unsupportedType, 101, .convert),
    Row(.unacceptedFormat, .unsupportedType, 101, .convert),
    Row(.unknownContent, .unsupportedType, 101, .convert),

    Row(.finding(.encrypted), .encrypted, .decrypt),

    Row(.finding(.corrupt), .corrupt, 105, .saveAgain),
    Row(.decoderComplaint, .corrupt, 105, .saveAgain),
    Row(.underSixteenBytes, .corrupt, 105, .saveAgain),
    Row(.unknownContentUnderAcceptedName, .corrupt, 105, .saveAgain),

    Row(.finding(.truncated), .truncated, 105, .uploadAgain),
    Row(.finding(.unsupportedVariant), .unsupportedVariant, 105, .usualVariant),
    Row(.finding(.noMedia), .noMedia, 105, .addMedia),
    Row(.finding(.polyglot), .polyglot, .dropSecondFormat),

    Row(.endedForSize, .tooLarge, 102, .shrink),
    Row(.sizeOverLimit, .tooLarge, 102, .shrink),
    Row(.pixelsOverLimit, .tooManyPixels, .scaleDown),
    Row(.framesOverLimit, .tooManyFrames, .dropFrames),
    Row(.durationOverLimit, .tooLong, .shorten),

    Row(.videoCodecUnlisted, .videoCodec, .encodeVideo),
    Row(.audioCodecUnlisted, .audioCodec, .encodeAudio),
    Row(.foreignAudioInMPEG4, .audioCodec, .encodeAudio),

    Row(.claimOfAnotherClass, .mislabelled, 101, .rename),
    Row(.claimOfAnotherDecoder, .mislabelled, 101, .rename),

    Row(.unknownTypeHint, .filenameExtension, .rename),
    Row(.noExtension, .filenameExtension, .rename),
    Row(.unknownExtension, .filenameExtension, .rename),
    Row(.claimOfTheSameClass, .filenameExtension, .rename),
    Row(.movieClaimForAudio, .filenameExtension, .rename),
    Row(.otherDeclaredType, .declaredType, .declare),
    Row(.typeBeyondPlatform, .platformLimit, 101, .platformType),
    Row(.sizeBeyondPlatform, .platformLimit, 102, .platformSize),
    Row(.finding(.notStreamable), .notStreamable, .moveIndex),
    Row(.severalFrames, .animated, .none),
    Row(.memoryNearLimit, .memory, .sendPreview),
    Row(.insecureAddress, .insecureURL, .useHTTPS),
    Row(.rawAAC, .adts, .wrapInM4A),
    Row(.finding(.hev1), .hev1, .tagHVC1),
    Row(.finding(.lastFrameCut), .lastFrameCut, .uploadAgain),
    Row(.finding(.trailingData), .trailingData, .strip),
    Row(.severalAttempts, .retried, .steadyOrigin),
    Row(.finding(.metadataLocation), .metadataLocation, .stripLocation),
  ]
}

extension DecisionTable.Row {
  fileprivate init(_ trait: DecisionTrait, _ code: PolicyCode, _ remedy: Remedy) {
    self.init(trait, code, nil, remedy)
  }
}
