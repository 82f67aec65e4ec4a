public import AttachmentModel

/// What a row of the decision table looks for in the evidence.
public enum DecisionTrait: Sendable, Hashable {
  /// The file, or the body, has 0 bytes.
  case noBytes
  /// The transfer was stopped at its first bytes, which are of a type that is not accepted.
  case endedForType
  /// The content is recognised, and the policy does not accept it.
  case unacceptedFormat
  /// Nothing recognisable, under no accepted name.
  case unknownContent
  /// A structure check found this.
  case finding(StructureFinding.Kind)
  /// The decoder complained of a file whose structure does not end early.
  case decoderComplaint
  /// The whole file is shorter than any picture or sound.
  case underSixteenBytes
  /// Nothing recognisable, under an accepted extension or type hint.
  case unknownContentUnderAcceptedName
  /// The transfer was stopped because of its announced or received size.
  case endedForSize
  /// The file has more bytes than its kind or format may have.
  case sizeOverLimit
  /// A frame has more pixels than it may have.
  case pixelsOverLimit
  /// There are more frames than there may be.
  case framesOverLimit
  /// It plays longer than it may.
  case durationOverLimit
  /// The video codec is not on the policy's list.
  case videoCodecUnlisted
  /// The audio codec is not on the policy's list.
  case audioCodecUnlisted
  /// MPEG-4 sound in a codec that is neither AAC nor ALAC.
  case foreignAudioInMPEG4
  /// The type hint or extension names another class.
  case claimOfAnotherClass
  /// The type hint or extension names a format whose decoder would fail.
  case claimOfAnotherDecoder
  /// A type hint that names no known format, as `public.data` does not, so that the extension counts.
  case unknownTypeHint
  /// No extension, and no type hint in its stead.
  case noExtension
  /// An extension that no known format uses, and no type hint in its stead.
  case unknownExtension
  /// The type hint or extension names another format that the same decoders read.
  case claimOfTheSameClass
  /// The type hint or extension names an MPEG-4 movie, and there is only sound.
  case movieClaimForAudio
  /// The origin's or the upload's Content-Type names another format, or none in particular.
  case otherDeclaredType
  /// The platform's own table does not list the format.
  case typeBeyondPlatform
  /// The platform's own table allows fewer bytes.
  case sizeBeyondPlatform
  /// An image with more than one frame.
  case severalFrames
  /// The decoded picture comes near a device's memory, or is over it.
  case memoryNearLimit
  /// The address, as given or as redirected to, is not https.
  case insecureAddress
  /// AAC without a container.
  case rawAAC
  /// There was more than one attempt.
  case severalAttempts

  /// What the trait is, in one line without a period; the text of the documentation's table.
  public var summary: String {
    switch self {
    case .noBytes: "0 bytes"
    case .endedForType: "the transfer was stopped at first bytes of a type that is not accepted"
    case .unacceptedFormat: "recognised, and not accepted by the policy"
    case .unknownContent: "nothing recognisable, under no accepted name"
    case .finding(let kind): "the structure check found: \(kind.rawValue)"
    case .decoderComplaint: "the decoder found damage in a file that is not cut"
    case .underSixteenBytes: "under 16 bytes"
    case .unknownContentUnderAcceptedName: "nothing recognisable, under an accepted name"
    case .endedForSize: "the transfer was stopped at the size limit"
    case .sizeOverLimit: "more bytes than the limit of its kind or format"
    case .pixelsOverLimit: "more pixels in a frame than the limit"
    case .framesOverLimit: "more frames than the limit"
    case .durationOverLimit: "a longer playing time than the limit"
    case .videoCodecUnlisted: "a video codec that the policy does not list"
    case .audioCodecUnlisted: "an audio codec that the policy does not list"
    case .foreignAudioInMPEG4: "MPEG-4 sound that is neither AAC nor ALAC"
    case .claimOfAnotherClass: "type hint or extension of another class"
    case .claimOfAnotherDecoder: "type hint or extension whose decoder would fail"
    case .unknownTypeHint: "a type hint that is no uniform type identifier of a known format"
    case .noExtension: "no extension and no type hint"
    case .unknownExtension: "an unknown extension and no type hint"
    case .claimOfTheSameClass: "type hint or extension of another format in the same class"
    case .movieClaimForAudio: "a movie's type hint or extension for MPEG-4 sound"
    case .otherDeclaredType: "a Content-Type that names another format, or none in particular"
    case .typeBeyondPlatform: "a type that the platform's own table does not list"
    case .sizeBeyondPlatform: "more bytes than the platform's own table allows"
    case .severalFrames: "an image with more than one frame"
    case .memoryNearLimit: "a decoded size near or over a device's memory"
    case .insecureAddress: "an address that is not https"
    case .rawAAC: "AAC in ADTS frames, without a container"
    case .severalAttempts: "more than one attempt"
    }
  }
}

/// A trait seen in the evidence, with its values.
struct Occurrence {
  var message: String
  var limit: PolicyViolation.Value?
  var actual: PolicyViolation.Value?

  init(
    _ message: String,
    limit: PolicyViolation.Value? = nil,
    actual: PolicyViolation.Value? = nil
  ) {
    self.message = message
    self.limit = limit
    self.actual = actual
  }
}

extension DecisionTrait {
  /// Looks for the trait.
  ///
  /// - Parameter attachment: The evidence under one policy.
  /// - Returns: What to report, or nothing where the trait is not there.
  func occurrence(in attachment: JudgedAttachment) -> Occurrence? {
    switch self {
    case .noBytes: Self.noBytes(attachment)
    case .endedForType: Self.endedForType(attachment)
    case .unacceptedFormat: Self.unacceptedFormat(attachment)
    case .unknownContent: Self.unknownContent(attachment)
    case .finding(let kind): Self.finding(kind, attachment)
    case .decoderComplaint: Self.decoderComplaint(attachment)
    case .underSixteenBytes: Self.underSixteenBytes(attachment)
    case .unknownContentUnderAcceptedName: Self.unknownContentUnderAcceptedName(attachment)
    case .endedForSize: Self.endedForSize(attachment)
    case .sizeOverLimit: Self.sizeOverLimit(attachment)
    case .pixelsOverLimit: Self.pixelsOverLimit(attachment)
    case .framesOverLimit: Self.framesOverLimit(attachment)
    case .durationOverLimit: Self.durationOverLimit(attachment)
    case .videoCodecUnlisted: Self.videoCodecUnlisted(attachment)
    case .audioCodecUnlisted: Self.audioCodecUnlisted(attachment)
    case .foreignAudioInMPEG4: Self.foreignAudioInMPEG4(attachment)
    case .claimOfAnotherClass: Self.claim(.otherClass, attachment)
    case .claimOfAnotherDecoder: Self.claim(.otherDecoder, attachment)
    case .unknownTypeHint: Self.unknownTypeHint(attachment)
    case .noExtension: Self.noExtension(attachment)
    case .unknownExtension: Self.unknownExtension(attachment)
    case .claimOfTheSameClass: Self.claim(.sameClass, attachment)
    case .movieClaimForAudio: Self.claim(.sameContainer, attachment)
    case .otherDeclaredType: Self.otherDeclaredType(attachment)
    case .typeBeyondPlatform: Self.typeBeyondPlatform(attachment)
    case .sizeBeyondPlatform: Self.sizeBeyondPlatform(attachment)
    case .severalFrames: Self.severalFrames(attachment)
    case .memoryNearLimit: Self.memoryNearLimit(attachment)
    case .insecureAddress: Self.insecureAddress(attachment)
    case .rawAAC: Self.rawAAC(attachment)
    case .severalAttempts: Self.severalAttempts(attachment)
    }
  }
}
