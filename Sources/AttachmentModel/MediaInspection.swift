/// What a file turned out to be, whatever its name and headers claimed.
public struct MediaInspection: Sendable, Hashable, Codable {
  /// The format that structure and signature agree on.
  public var format: MediaFormat
  /// What the content is called in a sentence ("an HTML page"), or nothing where it is unknown.
  public var contentName: String?
  /// The MIME type that libmagic gives, where signature and structure leave the format open.
  public var magicType: String?
  /// Image, audio or movie; for `other` formats too where their tracks tell.
  public var kind: MediaKind?
  /// Whether the container is ISO base media of the MPEG-4 family, whatever its codecs.
  public var isMPEG4 = false
  /// The size of the file.
  public var size: ByteCount
  /// Pixels across, as stored (before orientation).
  public var width: Int?
  /// Pixels down, as stored (before orientation).
  public var height: Int?
  /// Exif orientation, 1 to 8; absent where the file states none.
  public var orientation: Int?
  /// Pictures in an image or video samples in a movie.
  public var frames: Int?
  /// Playing time.
  public var duration: Duration?
  /// Video codec in lower case: `h264`, `hevc`, `mpeg4`, `av1`, `vp9`, ...
  public var videoCodec: String?
  /// Audio codec in lower case: `aac`, `alac`, `mp3`, `opus`, ...
  public var audioCodec: String?
  /// How many bytes of compressed text a picture carries, which its decoder unpacks whole.
  public var packedTextSize = ByteCount(0)
  /// Where embedded cover art lies in the file, if any.
  public var coverArt: Range<Int64>?
  /// What the structure checks noticed, in file order.
  public var findings: [StructureFinding] = []

  /// A bare identification; the structure checks fill in the rest.
  public init(format: MediaFormat, contentName: String? = nil, size: ByteCount) {
    self.format = format
    self.contentName = contentName
    self.kind = format.kind
    self.size = size
  }

  /// What a device needs to hold the decoded picture: 4 bytes a pixel, every frame.
  ///
  /// Source: Apple forum threads on the 24 MB limit of notification service extensions.
  public var decodedSize: ByteCount? {
    guard kind == .image, let width, let height else { return nil }
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    let (bytes, overflow2) = pixels.multipliedReportingOverflow(by: 4 * max(1, frames ?? 1))
    return ByteCount(overflow || overflow2 ? Int64.max : Int64(bytes))
  }

  /// Why no preview can be made of it, where what it is says so: the same for a whole file as for
  /// its first bytes.
  ///
  /// Nothing for a picture that can be decoded, and for audio, which may carry a cover.
  public var previewObstacle: PreviewError? {
    switch kind {
    case .image where format.isDecodable: return nil
    case .audio: return nil
    case .movie:
      return PreviewError(.movie, "movies are not decoded; link a picture as the preview")
    case .image, nil:
      let name = contentName ?? "unknown content"
      return PreviewError(.undecodable, "\(name) has no pixels that can be decoded")
    }
  }

  /// Whether a finding of this kind was made.
  public func has(_ kind: StructureFinding.Kind) -> Bool {
    findings.contains { $0.kind == kind }
  }
}
