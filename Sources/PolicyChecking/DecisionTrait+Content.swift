import AttachmentModel

// What the bytes are, and whether they are whole.
extension DecisionTrait {
  static func noBytes(_ attachment: JudgedAttachment) -> Occurrence? {
    guard attachment.isEmpty else { return nil }
    let isBody = attachment.evidence.transfer != nil
    return Occurrence("\(isBody ? "body" : "file") is 0 bytes", actual: .number(0))
  }

  static func endedForType(_ attachment: JudgedAttachment) -> Occurrence? {
    guard attachment.earlyEnd?.reason == .unsupportedType else { return nil }
    return unaccepted(attachment)
  }

  static func unacceptedFormat(_ attachment: JudgedAttachment) -> Occurrence? {
    guard let format = attachment.format, !attachment.policy.accepts(format),
      !attachment.isUnrecognisable, !attachment.isForeignAudioInMPEG4,
      !attachment.isDefectiveMPEG4
    else { return nil }
    // The first bytes of a stopped transfer tell a format, but their silence tells nothing.
    if attachment.earlyEnd != nil, format == .other { return nil }
    return unaccepted(attachment)
  }

  private static func unaccepted(_ attachment: JudgedAttachment) -> Occurrence {
    let policy = attachment.policy
    let format = attachment.format.map { $0 == .other ? attachment.noun : $0.rawValue }
    return Occurrence(
      "content is \(attachment.noun), which \(policy.name) does not accept",
      limit: .text(Wording.list(policy.acceptedFormats)),
      actual: format.map { .text($0) }
    )
  }

  static func unknownContent(_ attachment: JudgedAttachment) -> Occurrence? {
    guard isUnknown(attachment), !isAcceptedName(attachment) else { return nil }
    return Occurrence(
      "content is of no known type",
      limit: .text(Wording.list(attachment.policy.acceptedFormats)),
      actual: .text(MediaFormat.other.rawValue)
    )
  }

  static func unknownContentUnderAcceptedName(_ attachment: JudgedAttachment) -> Occurrence? {
    guard isUnknown(attachment), isAcceptedName(attachment), let claim = attachment.claim else {
      return nil
    }
    return Occurrence("nothing recognisable stands behind the \(claim.phrase)")
  }

  private static func isAcceptedName(_ attachment: JudgedAttachment) -> Bool {
    attachment.claim?.isAccepted(by: attachment.policy) ?? false
  }

  /// Whether nothing can be said of the content but that it is unknown.
  private static func isUnknown(_ attachment: JudgedAttachment) -> Bool {
    guard attachment.isUnrecognisable, let whole = attachment.whole else { return false }
    return whole.size.bytes >= smallest && !whole.has(.truncated) && !whole.has(.corrupt)
  }

  /// The fewest bytes of a file worth judging; contract for `corrupt`.
  private static let smallest: Int64 = 16

  static func underSixteenBytes(_ attachment: JudgedAttachment) -> Occurrence? {
    guard let whole = attachment.whole, whole.size.bytes < smallest,
      unacceptedFormat(attachment) == nil
    else { return nil }
    return Occurrence(
      "file is \(whole.size.exactly); no picture or sound has under \(smallest) bytes",
      limit: .number(smallest),
      actual: .number(whole.size.bytes)
    )
  }

  static func finding(
    _ kind: StructureFinding.Kind,
    _ attachment: JudgedAttachment
  ) -> Occurrence? {
    guard let finding = attachment.whole?.findings.first(where: { $0.kind == kind }) else {
      return nil
    }
    return Occurrence(finding.detail.isEmpty ? kind.rawValue : finding.detail)
  }

  static func decoderComplaint(_ attachment: JudgedAttachment) -> Occurrence? {
    // A decoder also complains of a cut file, and that is one fault and not two.
    guard let whole = attachment.whole, !whole.has(.truncated),
      case .damaged(let words)? = attachment.evidence.examination?.decoding
    else { return nil }
    return Occurrence("the decoder found damage: \(Wording.line(words))")
  }
}
