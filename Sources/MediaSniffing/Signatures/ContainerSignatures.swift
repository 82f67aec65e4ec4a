import AttachmentModel

/// Signatures of containers: ISO media, RIFF, IFF, Matroska, Ogg and the MPEG systems.
enum ContainerSignatures {
  static func match(_ prefix: FilePrefix) -> SignatureMatch? {
    if let found = isoMedia(prefix) { return found }
    switch prefix[0] {
    case 0x52 where prefix.has("RIFF") || prefix.has("RIFX") || prefix.has("RF64"):
      return riff(prefix)
    case 0x46 where prefix.has("FORM"): return iff(prefix)
    case 0x1A where prefix.has([0x1A, 0x45, 0xDF, 0xA3]): return matroska(prefix)
    case 0x4F where prefix.has("OggS"):
      return .signature(Signature(format: .ogg, name: "an Ogg file", family: .ogg))
    case 0x00 where prefix.has([0, 0, 1]): return mpeg(prefix)
    default: return transportStream(prefix)
    }
  }

  /// A file that begins with a box: `ftyp` by its brands, older files by the box itself.
  private static func isoMedia(_ prefix: FilePrefix) -> SignatureMatch? {
    guard let type = prefix.fourCharacters(at: 4), let first = prefix[0] else { return nil }
    switch type {
    case "ftyp": return brands(prefix)
    // A size that begins with a letter is text: "The free ...".
    case "moov" where first < 0x20, "mdat",
      "wide" where first < 0x20, "free" where first < 0x20,
      "skip" where first < 0x20, "pnot" where first < 0x20:
      return .signature(
        Signature(
          format: .mov,
          name: "a QuickTime movie",
          family: .isoMedia,
          settles: false
        )
      )
    case "styp", "moof", "sidx":
      return .signature(
        Signature(
          format: .mp4Video,
          name: "a piece of an MPEG-4 file",
          family: .isoMedia,
          settles: false
        )
      )
    case "meta" where prefix.holds("pict", within: 64):
      let isAV1 = prefix.firstIndex(of: "av01") != nil
      return .signature(isAV1 ? avif : heic)
    default: return nil
    }
  }

  private static let avif = Signature(format: .avif, name: "an AVIF picture", family: .heif)
  private static let heic = Signature(format: .heic, name: "a HEIC picture", family: .heif)
  private static let heicBrands: Set<String> = [
    "heic", "heix", "hevc", "hevx", "heim", "heis", "hevm", "hevs",
  ]

  private static func brands(_ prefix: FilePrefix) -> SignatureMatch {
    guard let major = prefix.fourCharacters(at: 8) else {
      if !prefix.isWhole { return .undecided }
      return .signature(mpeg4(major: ""))
    }
    if major == "avif" || major == "avis" { return .signature(avif) }
    if heicBrands.contains(major) { return .signature(heic) }
    if ["mif1", "mif2", "mif3", "msf1", "miaf"].contains(major) {
      // The structural brands say "a picture in this container"; the codec's brand follows.
      let end = min(Int(prefix.bigEndian(at: 0, count: 4) ?? 0), 16 + 4 * 64)
      for offset in stride(from: 12, to: end, by: 4) {
        guard let brand = prefix.fourCharacters(at: offset) else { break }
        if brand == "avif" || brand == "avis" { return .signature(avif) }
      }
      return .signature(heic)
    }
    if major == "qt  " {
      return .signature(
        Signature(format: .mov, name: "a QuickTime movie", family: .isoMedia)
      )
    }
    if major.hasPrefix("3g") || major == "kddi" {
      return .signature(
        Signature(format: .threeGP, name: "a 3GPP file", family: .isoMedia)
      )
    }
    if major == "crx " { return .signature(.named(.other, "a Canon raw picture")) }
    return .signature(mpeg4(major: major))
  }

  /// Tracks decide between movie and sound; the brand is but a guess.
  private static func mpeg4(major: String) -> Signature {
    let isAudio = ["M4A ", "M4B ", "M4P ", "F4A ", "F4B "].contains(major)
    return Signature(
      format: isAudio ? .m4aAAC : .mp4Video,
      name: "an MPEG-4 file",
      family: .isoMedia,
      settles: false
    )
  }

  private static func riff(_ prefix: FilePrefix) -> SignatureMatch? {
    guard let form = prefix.fourCharacters(at: 8) else {
      return prefix.isWhole ? nil : .undecided
    }
    switch form {
    case "WEBP":
      return .signature(Signature(format: .webp, name: "a WebP picture", family: .webp))
    case "WAVE": return .signature(Signature(format: .wav, name: "a WAV file", family: .wav))
    case "AVI ": return .signature(Signature(format: .avi, name: "an AVI movie", family: .avi))
    default: return .signature(.named(.other, "a RIFF file"))
    }
  }

  private static func iff(_ prefix: FilePrefix) -> SignatureMatch? {
    guard let form = prefix.fourCharacters(at: 8) else {
      return prefix.isWhole ? nil : .undecided
    }
    guard form == "AIFF" || form == "AIFC" else {
      return .signature(.named(.other, "an IFF file"))
    }
    return .signature(Signature(format: .aiff, name: "an AIFF file", family: .aiff))
  }

  /// The document type in the EBML header tells WebM from Matroska.
  private static func matroska(_ prefix: FilePrefix) -> SignatureMatch {
    let head = prefix.bytes.prefix(128)
    if let element = head.firstIndex(of: [0x42, 0x82], ignoringCase: false),
      let size = prefix[element + 2], size > 0x80
    {
      let start = element + 3
      let end = min(start + Int(size & 0x7F), prefix.count)
      if start <= end, String(decoding: prefix.bytes[start..<end], as: UTF8.self) == "webm" {
        return .signature(Signature(format: .webm, name: "a WebM movie", family: .matroska))
      }
    } else if !prefix.isWhole, prefix.count < 128 {
      return .undecided
    }
    return .signature(
      Signature(format: .other, name: "a Matroska file", family: .matroska, kind: .movie)
    )
  }

  private static func mpeg(_ prefix: FilePrefix) -> SignatureMatch? {
    switch prefix[3] {
    case 0xBA, 0xBB:
      .signature(Signature(format: .mpeg, name: "an MPEG movie", family: .mpegProgram))
    case 0xB3:
      .signature(Signature(format: .mpeg, name: "MPEG video", family: .mpegProgram))
    case nil: prefix.isWhole ? nil : .undecided
    default: nil
    }
  }

  /// Packets of 188 bytes that each begin with 47h; Blu-ray puts a time stamp before each.
  private static func transportStream(_ prefix: FilePrefix) -> SignatureMatch? {
    for (start, length) in [(0, 188), (4, 192)] where prefix[start] == 0x47 {
      let packets = (0..<3).map { prefix[start + $0 * length] }
      if packets.allSatisfy({ $0 == 0x47 }) {
        return .signature(
          Signature(format: .mpeg, name: "an MPEG transport stream", family: .mpegTransport)
        )
      }
    }
    return nil
  }
}
