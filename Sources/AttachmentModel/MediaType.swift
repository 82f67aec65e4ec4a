/// The names that one format goes by: to Apple, to HTTP, and to a file system.
///
/// Counterpart of `UTType`. Sources: Apple, "System-declared uniform type identifiers"; the IANA
/// media type registry.
public struct MediaType: Sendable, Hashable, Codable {
  /// Apple's uniform type identifier, as in `public.jpeg`.
  public let identifier: String
  /// The registered media type, as in `image/jpeg`.
  public let mimeType: String
  /// File-name extensions in use, without a dot, the right one first.
  public let filenameExtensions: [String]

  init(_ identifier: String, _ mimeType: String, _ filenameExtensions: String...) {
    self.identifier = identifier
    self.mimeType = mimeType
    self.filenameExtensions = filenameExtensions
  }
}

extension MediaFormat {
  /// The class that this format belongs to, or nothing for documents and the unknown.
  public var kind: MediaKind? {
    switch self {
    case .jpeg, .png, .apng, .gif, .webp, .heic, .avif, .svg, .tiff, .bmp, .ico, .jxl, .jp2, .psd:
      .image
    case .m4aAAC, .m4aALAC, .aacADTS, .mp3, .wav, .aiff, .flac, .ogg, .amr:
      .audio
    case .mp4Video, .mov, .threeGP, .webm, .avi, .mpeg:
      .movie
    case .pdf, .html, .txt, .zip, .other:
      nil
    }
  }

  /// Whether it is a picture that a trusted decoder here can open, accepted or not.
  public var isDecodable: Bool {
    switch self {
    case .jpeg, .png, .apng, .gif, .webp, .heic, .avif, .tiff: true
    default: false
    }
  }

  /// What this format is called elsewhere, or nothing for `other`.
  public var type: MediaType? {
    Self.types[self]
  }

  /// Formats that commonly bear a file-name extension, the likeliest first.
  ///
  /// - Parameter filenameExtension: Without a dot, in any case.
  /// - Returns: Nothing for an extension that no known format uses.
  public static func named(byExtension filenameExtension: String) -> [MediaFormat] {
    formatsByExtension[filenameExtension.lowercased()] ?? []
  }

  private static let formatsByExtension = allCases.reduce(into: [String: [MediaFormat]]()) {
    for suffix in $1.type?.filenameExtensions ?? [] { $0[suffix, default: []].append($1) }
  }

  private static let types: [MediaFormat: MediaType] = [
    .jpeg: MediaType("public.jpeg", "image/jpeg", "jpg", "jpeg", "jpe", "jfif"),
    .png: MediaType("public.png", "image/png", "png"),
    .apng: MediaType("public.png", "image/png", "png", "apng"),
    .gif: MediaType("com.compuserve.gif", "image/gif", "gif"),
    .mp4Video: MediaType("public.mpeg-4", "video/mp4", "mp4", "m4v", "mpg4"),
    .m4aAAC: MediaType("public.mpeg-4-audio", "audio/mp4", "m4a", "m4b", "mp4", "m4r"),
    .m4aALAC: MediaType("public.mpeg-4-audio", "audio/mp4", "m4a", "m4b", "mp4", "m4r"),
    .aacADTS: MediaType("public.aac-audio", "audio/aac", "aac", "adts"),
    .mp3: MediaType("public.mp3", "audio/mpeg", "mp3", "mpga"),
    .webp: MediaType("org.webmproject.webp", "image/webp", "webp"),
    .heic: MediaType("public.heic", "image/heic", "heic", "heif", "heics", "hif"),
    .avif: MediaType("public.avif", "image/avif", "avif", "avifs"),
    .svg: MediaType("public.svg-image", "image/svg+xml", "svg", "svgz"),
    .tiff: MediaType("public.tiff", "image/tiff", "tiff", "tif"),
    .bmp: MediaType("com.microsoft.bmp", "image/bmp", "bmp", "dib"),
    .ico: MediaType("com.microsoft.ico", "image/vnd.microsoft.icon", "ico", "cur"),
    .jxl: MediaType("public.jpeg-xl", "image/jxl", "jxl"),
    .jp2: MediaType("public.jpeg-2000", "image/jp2", "jp2", "j2k", "jpx", "jpf"),
    .psd: MediaType("com.adobe.photoshop-image", "image/vnd.adobe.photoshop", "psd"),
    .mov: MediaType("com.apple.quicktime-movie", "video/quicktime", "mov", "qt"),
    .threeGP: MediaType("public.3gpp", "video/3gpp", "3gp", "3gpp", "3g2"),
    .webm: MediaType("org.webmproject.webm", "video/webm", "webm"),
    .avi: MediaType("public.avi", "video/vnd.avi", "avi"),
    .mpeg: MediaType("public.mpeg", "video/mpeg", "mpg", "mpeg", "m2v", "vob"),
    .wav: MediaType("com.microsoft.waveform-audio", "audio/wav", "wav", "wave"),
    .aiff: MediaType("public.aiff-audio", "audio/aiff", "aiff", "aif", "aifc"),
    .flac: MediaType("org.xiph.flac", "audio/flac", "flac"),
    .ogg: MediaType("org.xiph.ogg-audio", "audio/ogg", "ogg", "oga", "opus"),
    .amr: MediaType("org.3gpp.adaptive-multi-rate-audio", "audio/amr", "amr"),
    .pdf: MediaType("com.adobe.pdf", "application/pdf", "pdf"),
    .html: MediaType("public.html", "text/html", "html", "htm", "xhtml"),
    .txt: MediaType("public.plain-text", "text/plain", "txt", "text"),
    .zip: MediaType("public.zip-archive", "application/zip", "zip"),
  ]
}
