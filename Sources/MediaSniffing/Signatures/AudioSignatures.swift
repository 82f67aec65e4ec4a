import AttachmentModel

/// Signatures of sound: tagged, framed, or with a magic word.
enum AudioSignatures {
  static func match(_ prefix: FilePrefix) -> SignatureMatch? {
    switch prefix[0] {
    case 0x66 where prefix.has("fLaC"):
      .signature(Signature(format: .flac, name: "a FLAC file", family: .flac))
    case 0x23 where prefix.has("#!AMR"):
      .signature(Signature(format: .amr, name: "an AMR recording", family: .amr))
    case 0x49 where prefix.has("ID3"): tagged(prefix)
    case 0xFF: framed(prefix, at: 0)
    default: nil
    }
  }

  /// Where the bytes behind an ID3v2 tag begin, or nothing where there is no tag.
  ///
  /// Source: ID3v2.4 structure, section 3.1: a 28-bit size in four bytes of seven bits, without
  /// the header's 10 bytes and the footer's 10 that flag 10h announces.
  static func tagEnd(_ header: some Collection<UInt8>) -> Int64? {
    let bytes = Array(header.prefix(10))
    guard bytes.count == 10, bytes.starts(with: Array("ID3".utf8)) else { return nil }
    let size = bytes[6...].reduce(Int64(0)) { $0 << 7 | Int64($1 & 0x7F) }
    return 10 + size + (bytes[5] & 0x10 != 0 ? 10 : 0)
  }

  private static func tagged(_ prefix: FilePrefix) -> SignatureMatch? {
    guard let end = tagEnd(prefix.bytes.prefix(10)) else {
      return prefix.isWhole ? nil : .undecided
    }
    if end < prefix.count {
      let rest = FilePrefix(Array(prefix.bytes[Int(end)...]), isWhole: prefix.isWhole)
      if let found = behindTag(rest) { return .signature(found) }
    }
    return .signature(
      Signature(format: .mp3, name: "an MP3 file", family: .id3, settles: false)
    )
  }

  /// What the bytes behind an ID3v2 tag say, where they are not the MP3 frames one expects.
  static func behindTag(_ rest: FilePrefix) -> Signature? {
    if rest.has("fLaC") {
      return Signature(format: .flac, name: "a FLAC file", family: .flac)
    }
    guard case .signature(let found)? = framed(rest, at: 0), found.format != .mp3
    else { return nil }
    return found
  }

  /// MPEG audio or ADTS frames at an offset: the second frame must stand where the first ends.
  static func framed(_ prefix: FilePrefix, at start: Int) -> SignatureMatch? {
    guard let header = prefix.bigEndian(at: start, count: 4) else {
      return prefix.isWhole || prefix[start + 1].map { $0 < 0xE0 } ?? false ? nil : .undecided
    }
    guard let first = FrameHeader(header, next: prefix[start + 4], prefix[start + 5]) else {
      return nil
    }
    var offset = start
    var frames = 0
    while frames < 3, let word = prefix.bigEndian(at: offset, count: 4),
      let frame = FrameHeader(word, next: prefix[offset + 4], prefix[offset + 5]),
      frame.isSameStream(as: first)
    {
      frames += 1
      offset += frame.length
    }
    let endsInside = offset + 6 > prefix.count
    guard frames > 1 || endsInside else { return nil }
    if frames < 2, !prefix.isWhole { return .undecided }
    return .signature(first.signature(settles: frames == 3))
  }
}
