import AttachmentModel

/// The smallest change that would make an attachment deliverable, or would end a warning.
public enum Remedy: String, Sendable, Hashable, CaseIterable {
  /// Nothing to do.
  case none
  /// Let the origin send the file.
  case serveBytes = "serve-bytes"
  /// Send a preview, or another format.
  case convert
  /// Remove the encryption.
  case decrypt
  /// Save it again from its source.
  case saveAgain = "save-again"
  /// Upload all of it again.
  case uploadAgain = "upload-again"
  /// Save it in the variant that every decoder reads.
  case usualVariant = "usual-variant"
  /// Send a file with something to see or hear.
  case addMedia = "add-media"
  /// Encode it again, so that only one format remains.
  case dropSecondFormat = "drop-second-format"
  /// Make it smaller, or send a preview.
  case shrink
  /// Scale it down; a picture over the pixel limit is not decoded, so it has no preview.
  case scaleDown = "scale-down"
  /// Keep fewer frames, or send a preview.
  case dropFrames = "drop-frames"
  /// Cut it to the longest time.
  case shorten
  /// Encode the pictures again.
  case encodeVideo = "encode-video"
  /// Encode the sound again.
  case encodeAudio = "encode-audio"
  /// Give it the right extension, type hint or media type.
  case rename
  /// Send the right Content-Type.
  case declare
  /// Use a type of the platform's own table.
  case platformType = "platform-type"
  /// Stay below the platform's own limit.
  case platformSize = "platform-size"
  /// Put the movie's index first.
  case moveIndex = "move-index"
  /// Send a preview.
  case sendPreview = "send-preview"
  /// Serve it over https.
  case useHTTPS = "use-https"
  /// Put the AAC into an M4A.
  case wrapInM4A = "wrap-in-m4a"
  /// Change the tag of the HEVC track.
  case tagHVC1 = "tag-hvc1"
  /// Take away what lies behind the end.
  case strip
  /// Let the origin answer at once.
  case steadyOrigin = "steady-origin"
  /// Take the position out of the metadata.
  case stripLocation = "strip-location"
}

extension Remedy {
  /// The default preview, of `PreviewRequest.limit`, or a smaller one where the policy takes no
  /// JPEG of that size.
  ///
  /// Transparency makes it a PNG and animation a GIF where the policy takes them, so that only
  /// where it takes neither is the format known.
  private static func preview(of attachment: JudgedAttachment) -> String {
    let usual = PreviewRequest().limit
    let own = attachment.policy.limits(for: .jpeg)?.maxBytes ?? usual
    let policy = attachment.policy
    let noun = policy.accepts(.png) || policy.accepts(.gif) ? "a picture" : Wording.name(.jpeg)
    return own < usual
      ? "send a smaller preview instead: \(noun) of at most \(own.concise)"
      : "send a preview instead: \(noun) of at most \(usual.concise)"
  }

  /// The remedy for this file, in one line.
  func text(for attachment: JudgedAttachment, _ occurrence: Occurrence) -> String? {
    switch self {
    case .none: nil
    case .serveBytes:
      attachment.evidence.transfer == nil
        ? "save the file again, with its bytes" : "let the address answer with the file's bytes"
    case .convert: Self.conversion(of: attachment)
    case .decrypt: "send it without encryption"
    case .saveAgain: "save the file again from its source, and upload that"
    case .uploadAgain: "upload the whole file again"
    case .usualVariant: Self.variant(of: attachment)
    case .addMedia: "send a file with a picture or sound in it"
    case .dropSecondFormat: "encode it again, which drops the second format"
    case .shrink: Self.shrinking(attachment, below: occurrence.limit)
    case .scaleDown: "scale it down to at most \(Self.number(occurrence.limit)) pixels a frame"
    case .dropFrames:
      Self.orPreview("keep at most \(Self.number(occurrence.limit)) frames", attachment)
    case .shorten: Self.shortening(below: occurrence.limit)
    case .encodeVideo: Self.encoding("video", attachment.limits.videoCodecs)
    case .encodeAudio: Self.encoding("audio", Self.audioCodecs(for: attachment))
    case .rename: Self.renaming(attachment)
    case .declare: occurrence.limit.map { "send Content-Type: \($0)" }
    case .platformType: Self.platformType(attachment, occurrence)
    case .platformSize: Self.shrinking(attachment, below: occurrence.limit)
    case .moveIndex: "write moov before mdat (\"fast start\"), which needs no encoding"
    case .sendPreview: attachment.hasPreview ? Self.preview(of: attachment) : "scale it down"
    case .useHTTPS: "serve it over https"
    case .wrapInM4A: "put the AAC into an M4A, which needs no encoding"
    case .tagHVC1: "tag the video hvc1, which needs no encoding"
    case .strip: Self.stripping(attachment, occurrence)
    case .steadyOrigin: "let the origin answer at the first attempt"
    case .stripLocation: "strip the location from the metadata"
    }
  }

  private static func number(_ value: PolicyViolation.Value?) -> String {
    guard case .number(let number)? = value else { return "the limit" }
    return Wording.grouped(number)
  }

  private static func orPreview(_ change: String, _ attachment: JudgedAttachment) -> String {
    attachment.hasPreview ? "\(change), or \(preview(of: attachment))" : change
  }

  private static func conversion(of attachment: JudgedAttachment) -> String {
    if attachment.hasPreview { return preview(of: attachment) }
    if let wrapping = wrapping(of: attachment) { return wrapping }
    let policy = attachment.policy
    func naming(_ formats: [MediaFormat]) -> String? {
      formats.first(where: policy.accepts).map { Wording.name($0) }
    }
    switch attachment.kind {
    case .image:
      if let format = naming([.jpeg, .png, .gif]) { return "export it as \(format)" }
    case .movie:
      if let format = naming([.mp4Video, .threeGP]) { return "convert it to \(format)" }
    case .audio:
      if let format = naming([.m4aAAC, .mp3, .aacADTS]) { return "convert it to \(format)" }
    case nil:
      if attachment.format == .html { return "use the address of the media file, not of a page" }
    }
    return "send one of: \(Wording.list(policy.acceptedFormats))"
  }

  /// Streams that are accepted in another container need no encoding.
  private static func wrapping(of attachment: JudgedAttachment) -> String? {
    let policy = attachment.policy
    switch attachment.format {
    case .aacADTS where policy.accepts(.m4aAAC):
      return "put the AAC into an M4A, which needs no encoding"
    case .mov, .threeGP:
      // Without a list of codecs nothing says that these would be taken.
      guard let limits = policy.limits(for: .mp4Video), let whole = attachment.whole,
        let video = whole.videoCodec,
        limits.videoCodecs?.contains(video) == true,
        whole.audioCodec.map({ limits.audioCodecs?.contains($0) == true }) ?? true
      else { return nil }
      return "put its tracks into an MPEG-4 file (.mp4), which needs no encoding"
    default:
      return nil
    }
  }

  private static func platformType(
    _ attachment: JudgedAttachment,
    _ occurrence: Occurrence
  ) -> String? {
    if attachment.format == .aacADTS { return "put the AAC into an M4A, and name it .m4a" }
    if attachment.hasPreview { return preview(of: attachment) }
    return occurrence.limit.map { "send one of: \($0)" }
  }

  private static func variant(of attachment: JudgedAttachment) -> String {
    attachment.format == .jpeg
      ? "save it as a baseline or progressive JPEG of 8 bits" : "save it in the usual variant"
  }

  private static func shrinking(
    _ attachment: JudgedAttachment,
    below limit: PolicyViolation.Value?
  ) -> String {
    if attachment.hasPreviewNow { return preview(of: attachment) }
    let change = attachment.kind == .image ? "scale it down" : "encode it at a lower bit rate"
    return
      "\(attachment.kind == nil ? "make it smaller" : change), to at most \(number(limit)) bytes"
  }

  private static func shortening(below limit: PolicyViolation.Value?) -> String? {
    guard case .number(let milliseconds)? = limit else { return nil }
    return "cut it to at most \(Wording.seconds(milliseconds))"
  }

  private static func encoding(_ track: String, _ codecs: [String]?) -> String {
    guard let best = codecs?.first else { return "remove the \(track)" }
    return "re-encode the \(track) as \(Wording.codec(best))"
  }

  private static func audioCodecs(for attachment: JudgedAttachment) -> [String]? {
    guard attachment.isForeignAudioInMPEG4 else { return attachment.limits.audioCodecs }
    return [attachment.policy.accepts(.m4aAAC) ? "aac" : "alac"]
  }

  private static func renaming(_ attachment: JudgedAttachment) -> String? {
    guard let type = attachment.format?.type, let right = type.filenameExtensions.first else {
      return nil
    }
    if attachment.unknownTypeHint != nil { return "state the type hint \(type.identifier)" }
    return switch attachment.claim?.origin {
    case .typeHint: "state the type hint \(type.identifier)"
    case .filenameExtension, .contentType, nil: "name it .\(right)"
    }
  }

  private static func stripping(
    _ attachment: JudgedAttachment,
    _ occurrence: Occurrence
  ) -> String {
    let count = byteCount(in: occurrence.message).map { "\($0) bytes" } ?? "bytes"
    return "strip the \(count) behind the \(attachment.kind.map(\.rawValue) ?? "file")'s end"
  }

  /// The number that stands before the word "bytes", where a finding names one.
  private static func byteCount(in message: String) -> Substring? {
    let words = message.split(separator: " ")
    guard let bytes = words.firstIndex(of: "bytes"), bytes > words.startIndex else { return nil }
    let number = words[words.index(before: bytes)]
    return number.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ",") } ? number : nil
  }
}
