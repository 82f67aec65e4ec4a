import AttachmentModel

// What names, headers and addresses say, and how the bytes came.
extension DecisionTrait {
  static func claim(
    _ agreement: TypeClaim.Agreement,
    _ attachment: JudgedAttachment
  ) -> Occurrence? {
    // What a media type names wrongly is `otherDeclaredType`, with a name or without.
    guard let format = attachment.acceptedFormat, let claim = attachment.claim,
      claim.origin != .contentType,
      claim.agreement(with: format, kind: attachment.kind) == agreement
    else { return nil }
    return Occurrence(
      "\(claim.phrase) does not name the content, which is \(attachment.noun)",
      actual: .text(claim.words)
    )
  }

  static func unknownTypeHint(_ attachment: JudgedAttachment) -> Occurrence? {
    guard attachment.acceptedFormat != nil, let hint = attachment.unknownTypeHint else {
      return nil
    }
    let words = Wording.line(hint)
    return Occurrence(
      "type hint \(words) is no uniform type identifier of a known format, and was passed over; the content is "
        + attachment.noun,
      actual: .text(words)
    )
  }

  static func noExtension(_ attachment: JudgedAttachment) -> Occurrence? {
    guard attachment.acceptedFormat != nil, attachment.claim == nil,
      attachment.evidence.reference.filenameExtension == nil
    else { return nil }
    return Occurrence("no extension or type hint tells a device that this is \(attachment.noun)")
  }

  static func unknownExtension(_ attachment: JudgedAttachment) -> Occurrence? {
    guard attachment.acceptedFormat != nil, attachment.claim == nil,
      let found = attachment.evidence.reference.filenameExtension
    else { return nil }
    let words = Wording.line(found)
    return Occurrence(
      "extension .\(words) tells a device nothing; the content is \(attachment.noun)",
      actual: .text(words)
    )
  }

  static func otherDeclaredType(_ attachment: JudgedAttachment) -> Occurrence? {
    let evidence = attachment.evidence
    guard let declared = evidence.transfer?.declaredType ?? evidence.reference.announcedType,
      !declared.isEmpty,
      let format = attachment.format, format != .other, let type = format.type,
      !DeclaredTypes.names(declared, format)
    else { return nil }
    let fault =
      DeclaredTypes.generic.contains(declared)
      ? "says nothing about the content" : "does not name the content"
    return Occurrence(
      "Content-Type \(Wording.line(declared)) \(fault), which is \(attachment.noun)",
      limit: .text(type.mimeType),
      actual: .text(Wording.line(declared))
    )
  }

  static func insecureAddress(_ attachment: JudgedAttachment) -> Occurrence? {
    func isInsecure(_ address: String) -> Bool {
      address.drop(while: \.isWhitespace).prefix(7).lowercased() == "http://"
    }
    let reference = attachment.evidence.reference
    if case .remote(let address) = reference.location, isInsecure(address) {
      return Occurrence("address is http, which App Transport Security blocks on a device")
    }
    guard let transfer = attachment.evidence.transfer, isInsecure(transfer.url) else { return nil }
    return Occurrence("a redirect leads to http, which App Transport Security blocks on a device")
  }

  static func rawAAC(_ attachment: JudgedAttachment) -> Occurrence? {
    guard attachment.acceptedFormat == .aacADTS else { return nil }
    return Occurrence("raw AAC in ADTS frames is not in Apple's table of attachments")
  }

  static func severalAttempts(_ attachment: JudgedAttachment) -> Occurrence? {
    guard let retries = attachment.evidence.transfer?.retries, retries > 0 else { return nil }
    return Occurrence(
      "came after \(retries == 1 ? "1 retry" : "\(retries) retries"), which a device may not make",
      actual: .number(Int64(retries))
    )
  }
}
