import AttachmentModel

/// Evidence as one policy sees it: what the rows of the decision table ask for.
struct JudgedAttachment {
  let policy: AttachmentPolicy
  let evidence: AttachmentEvidence
  /// The type hint if it is a known one, else the extension or media type if it is a known one.
  let claim: TypeClaim?
  /// No byte came, and the transfer was not stopped for a reason of ours.
  let isEmpty: Bool
  /// The inspection of a whole file: structure, size and findings may be judged.
  ///
  /// After an early end there is a prefix at most, and what a prefix lacks is nobody's fault.
  let whole: MediaInspection?
  /// What the file is, from all its bytes or its first ones.
  let format: MediaFormat?
  /// The class that the file's limits are those of.
  let kind: MediaKind?
  /// The accepted format, once the whole file was seen to be of one.
  let acceptedFormat: MediaFormat?
  /// The limits for this file: its format's, and those of its kind.
  let limits: AttachmentLimits

  init(_ evidence: AttachmentEvidence, under policy: AttachmentPolicy) {
    self.policy = policy
    self.evidence = evidence
    claim = TypeClaim(evidence.reference)
    let inspection = evidence.inspection
    let isStopped = evidence.transfer?.earlyEnd != nil
    let isEmpty = !isStopped && (inspection?.size.bytes ?? 0) <= 0
    let format = isEmpty ? nil : inspection?.format
    let kind = isEmpty ? nil : inspection?.kind ?? format?.kind
    self.isEmpty = isEmpty
    self.format = format
    self.kind = kind
    whole = isStopped || isEmpty ? nil : inspection
    acceptedFormat = whole.map(\.format).flatMap { policy.accepts($0) ? $0 : nil }
    limits =
      format.flatMap { policy.limits(for: $0, of: kind) }
      ?? kind.flatMap { policy.kinds[$0] } ?? AttachmentLimits()
  }

  /// Why the transfer was stopped, if it was.
  var earlyEnd: EarlyEnd? {
    evidence.transfer?.earlyEnd
  }

  /// A type hint that nobody goes by, since it names no known format.
  var unknownTypeHint: String? {
    guard let hint = evidence.reference.typeHint, !hint.isEmpty, claim?.origin != .typeHint else {
      return nil
    }
    return hint
  }

  /// What the file is called in a sentence, with an article.
  var noun: String {
    guard let format else { return "the file" }
    guard format == .other else { return Wording.name(format) }
    return evidence.inspection?.contentName.map(Wording.line) ?? "the file"
  }

  /// Nothing in the bytes that any format begins with or is made of.
  var isUnrecognisable: Bool {
    guard let whole, whole.format == .other else { return false }
    return whole.contentName == nil && whole.kind == nil && !whole.isMPEG4
  }

  /// MPEG-4 without pictures, in a codec that has no format of its own.
  ///
  /// Where the policy takes sound in that container it is the codec that is refused, and not the
  /// type.
  var isForeignAudioInMPEG4: Bool {
    guard let whole, whole.format == .other, whole.isMPEG4, whole.kind == .audio else {
      return false
    }
    return policy.accepts(.m4aAAC) || policy.accepts(.m4aALAC)
  }

  /// MPEG-4 of which no format can be told because of a defect that is a violation itself.
  var isDefectiveMPEG4: Bool {
    guard let whole, whole.format == .other, whole.isMPEG4 else { return false }
    let isContainerAccepted = [MediaFormat.mp4Video, .m4aAAC, .m4aALAC].contains {
      policy.accepts($0)
    }
    return isContainerAccepted
      && [.truncated, .corrupt, .noMedia, .encrypted].contains { whole.has($0) }
  }

  /// A preview can stand in for the picture: it can be decoded, and JPEG is accepted.
  var hasPreview: Bool {
    guard policy.accepts(.jpeg), let format else { return false }
    return [.jpeg, .png, .apng, .gif, .webp, .heic, .avif, .tiff].contains(format)
  }

  /// The same, and there are all the bytes that a preview is made from.
  var hasPreviewNow: Bool {
    whole != nil && hasPreview
  }
}
