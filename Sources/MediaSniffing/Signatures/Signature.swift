import AttachmentModel

/// What the first bytes of a file say it is, and which structure check has to confirm it.
package struct Signature: Sendable, Hashable {
  /// Formats that share a structure, and so a structure check.
  package enum Family: Sendable, Hashable, CaseIterable {
    case jpeg
    case png
    case gif
    case webp
    case bmp
    case tiff
    case ico
    case psd
    case jpeg2000
    case jpegXL
    case svg
    /// HEIC, AVIF and their relatives: a picture in an ISO container.
    case heif
    /// MPEG-4, QuickTime and 3GPP, whose tracks decide what they are.
    case isoMedia
    /// An ID3v2 tag; what stands behind it decides.
    case id3
    case mpegAudio
    case adts
    case aiff
    case wav
    case avi
    /// MPEG program streams and bare MPEG video.
    case mpegProgram
    case mpegTransport
    case amr
    case ogg
    case flac
    case matroska
    /// gzip; libmagic is asked what it holds.
    case gzip
    /// Recognition is all there is: documents, archives, text.
    case named
  }

  /// The format that is meant; for ISO media and ID3 the likeliest until the structure was read.
  var format: MediaFormat
  /// What it is called in a sentence.
  var name: String
  /// Which structure check applies.
  var family: Family
  /// Whether no later byte can make it another format.
  var settles = true
  /// The class, where the format itself does not imply one.
  var kind: MediaKind?

  /// A signature that identifies without structure.
  static func named(_ format: MediaFormat, _ name: String, settles: Bool = true) -> Signature {
    Signature(format: format, name: name, family: .named, settles: settles)
  }

  /// Says in an inspection what the first bytes tell, before any structure is read.
  func identify(_ inspection: inout MediaInspection) {
    inspection.format = format
    inspection.contentName = name
    inspection.kind = kind ?? format.kind
    inspection.isMPEG4 = family == .isoMedia && format != .mov && format != .threeGP
  }
}

/// What comes of comparing the first bytes with every known signature.
enum SignatureMatch: Sendable, Hashable {
  case signature(Signature)
  /// More bytes would tell.
  case undecided
  case unknown
}
