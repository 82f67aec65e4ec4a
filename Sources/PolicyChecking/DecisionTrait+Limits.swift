import AttachmentModel

// How large, how many, how long, and in which codecs.
extension DecisionTrait {
  static func endedForSize(_ attachment: JudgedAttachment) -> Occurrence? {
    guard let end = attachment.earlyEnd, let transfer = attachment.evidence.transfer else {
      return nil
    }
    let size: ByteCount
    let words: String
    switch end.reason {
    case .announcedTooLarge:
      size = transfer.announcedSize ?? transfer.receivedBytes
      words = "the origin announces \(size.exactly)"
    case .tooLarge:
      size = transfer.receivedBytes
      words = "the transfer was stopped after \(size.exactly)"
    case .unsupportedType, .status, .deadline:
      return nil
    }
    // The limit of what the first bytes are is tighter than that of the largest kind.
    let own = attachment.limits.maxBytes ?? attachment.policy.largestSize
    let limit = end.limit.map { min($0, own) } ?? own
    return Occurrence(
      "\(words); the limit for \(Wording.all(attachment.kind)) is \(limit.exactly)",
      limit: .number(limit.bytes),
      actual: .number(size.bytes)
    )
  }

  static func sizeOverLimit(_ attachment: JudgedAttachment) -> Occurrence? {
    guard let whole = attachment.whole, let limit = attachment.limits.maxBytes else { return nil }
    return sizeOverLimit(whole.size, limit, attachment.kind)
  }

  private static func sizeOverLimit(
    _ size: ByteCount,
    _ limit: ByteCount,
    _ kind: MediaKind?
  ) -> Occurrence? {
    guard size > limit else { return nil }
    return Occurrence(
      "\(Wording.one(kind)) is \(size.exactly); the limit for \(Wording.all(kind)) is "
        + limit.exactly,
      limit: .number(limit.bytes),
      actual: .number(size.bytes)
    )
  }

  static func pixelsOverLimit(_ attachment: JudgedAttachment) -> Occurrence? {
    guard let whole = attachment.whole, let limit = attachment.limits.maxPixels,
      let width = whole.width, let height = whole.height
    else { return nil }
    let (product, overflow) = Int64(width).multipliedReportingOverflow(by: Int64(height))
    let pixels = overflow ? Int64.max : product
    guard pixels > limit else { return nil }
    return Occurrence(
      "\(Wording.one(attachment.kind)) is \(Wording.grouped(Int64(width))) x "
        + "\(Wording.grouped(Int64(height))), \(Wording.grouped(pixels)) pixels; the limit is "
        + "\(Wording.grouped(limit)) pixels a frame",
      limit: .number(limit),
      actual: .number(pixels)
    )
  }

  static func framesOverLimit(_ attachment: JudgedAttachment) -> Occurrence? {
    guard let whole = attachment.whole, let limit = attachment.limits.maxFrames,
      let frames = whole.frames, frames > limit
    else { return nil }
    return Occurrence(
      "\(Wording.one(attachment.kind)) has \(Wording.grouped(Int64(frames))) frames; the limit is "
        + Wording.grouped(limit),
      limit: .number(limit),
      actual: .number(Int64(frames))
    )
  }

  static func durationOverLimit(_ attachment: JudgedAttachment) -> Occurrence? {
    guard let duration = attachment.whole?.duration, let limit = attachment.limits.maxDuration,
      duration > limit
    else { return nil }
    let actual = Wording.fullMilliseconds(duration)
    let most = Wording.milliseconds(limit)
    return Occurrence(
      "\(Wording.one(attachment.kind)) plays \(Wording.seconds(actual)); the limit is "
        + Wording.seconds(most),
      limit: .number(most),
      actual: .number(actual)
    )
  }

  static func videoCodecUnlisted(_ attachment: JudgedAttachment) -> Occurrence? {
    codecUnlisted("video", attachment.whole?.videoCodec, attachment.limits.videoCodecs, attachment)
  }

  static func audioCodecUnlisted(_ attachment: JudgedAttachment) -> Occurrence? {
    codecUnlisted("audio", attachment.whole?.audioCodec, attachment.limits.audioCodecs, attachment)
  }

  private static func codecUnlisted(
    _ track: String,
    _ codec: String?,
    _ listed: [String]?,
    _ attachment: JudgedAttachment
  ) -> Occurrence? {
    // An encrypted track hides its codec, and a format that is refused needs no second reason.
    guard attachment.acceptedFormat != nil, attachment.whole?.has(.encrypted) == false,
      let codec, let listed, !listed.contains(codec)
    else { return nil }
    return Occurrence(
      "\(track) codec is \(Wording.line(codec)); \(attachment.policy.name) accepts "
        + (listed.isEmpty ? "none" : listed.joined(separator: ", ")),
      limit: .text(listed.joined(separator: ", ")),
      actual: .text(Wording.line(codec))
    )
  }

  static func foreignAudioInMPEG4(_ attachment: JudgedAttachment) -> Occurrence? {
    guard attachment.isForeignAudioInMPEG4, let whole = attachment.whole, !whole.has(.encrypted)
    else { return nil }
    // Without a codec's name a defect explains it better.
    if whole.audioCodec == nil, attachment.isDefectiveMPEG4 { return nil }
    let accepted = ["aac": MediaFormat.m4aAAC, "alac": .m4aALAC]
      .filter { attachment.policy.accepts($0.value) }.keys.sorted().joined(separator: ", ")
    return Occurrence(
      "audio codec is \(whole.audioCodec.map(Wording.line) ?? "unknown"); \(attachment.policy.name) accepts "
        + "\(accepted) in MPEG-4",
      limit: .text(accepted),
      actual: whole.audioCodec.map { .text(Wording.line($0)) }
    )
  }

  static func typeBeyondPlatform(_ attachment: JudgedAttachment) -> Occurrence? {
    guard let format = attachment.acceptedFormat, let platform = platform(of: attachment),
      !platform.accepts(format)
    else { return nil }
    return Occurrence(
      "\(Wording.name(format)) is not in \(platform.title)",
      limit: .text(Wording.list(platform.acceptedFormats.filter { $0.kind == format.kind })),
      actual: .text(format.rawValue)
    )
  }

  static func sizeBeyondPlatform(_ attachment: JudgedAttachment) -> Occurrence? {
    guard attachment.acceptedFormat != nil, sizeOverLimit(attachment) == nil,
      let whole = attachment.whole, let kind = attachment.kind,
      let platform = platform(of: attachment),
      let limit = platform.limits(for: whole.format)?.maxBytes ?? platform.kinds[kind]?.maxBytes,
      var occurrence = sizeOverLimit(whole.size, limit, kind)
    else { return nil }
    occurrence.message += " in \(platform.title)"
    return occurrence
  }

  private static func platform(of attachment: JudgedAttachment) -> AttachmentPolicy? {
    attachment.policy.platform.flatMap(AttachmentPolicy.builtIn)
  }

  static func severalFrames(_ attachment: JudgedAttachment) -> Occurrence? {
    guard let format = attachment.acceptedFormat, attachment.kind == .image,
      let frames = attachment.whole?.frames, frames > 1
    else { return nil }
    let count = "\(Wording.name(format)) with \(Wording.grouped(Int64(frames))) frames"
    return Occurrence(
      format == .apng
        ? "\(count), which counts as PNG: a device may show the first frame only"
        : "\(count), every one of which a device has to decode",
      actual: .number(Int64(frames))
    )
  }

  static func memoryNearLimit(_ attachment: JudgedAttachment) -> Occurrence? {
    guard attachment.acceptedFormat != nil, let limit = attachment.limits.memory,
      let warning = attachment.limits.memoryWarning,
      let decoded = attachment.whole?.decodedSize, decoded >= warning
    else { return nil }
    return Occurrence(
      "image takes \(decoded.exactly) decoded; a service extension is ended at \(limit.exactly)",
      limit: .number(limit.bytes),
      actual: .number(decoded.bytes)
    )
  }
}
