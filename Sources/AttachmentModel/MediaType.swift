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
    switch self {
    case .jpeg: MediaType("public.jpeg", "image/jpeg", "jpg", "jpeg", "jpe", "jfif")
    case .png: MediaType("public.png", "image/png", "png")
    case .apng: MediaType("public.png", "image/png", "png", "apng")
    case .gif: MediaType("com.compuserve.gif", "image/gif", "gif")
    case .mp4Video: MediaType("public.mpeg-4", "video/mp4", "mp4", "m4v", "mpg4")
    case .m4aAAC, .m4aALAC:
      MediaType("public.mpeg-4-audio", "audio/mp4", "m4a", "m4b", "mp4", "m4r")
    case .aacADTS: MediaType("public.aac-audio", "audio/aac", "aac", "adts")
    case .mp3: MediaType("public.mp3", "audio/mpeg", "mp3", "mpga")
    case .webp: MediaType("org.webmproject.webp", "image/webp", "webp")
    case .heic: MediaType("public.heic", "image/heic", "heic", "heif", "heics", "hif")
    case .avif: MediaType("public.avif", "image/avif", "avif", "avifs")
    case .svg: MediaType("public.svg-image", "image/svg+xml", "svg", "svgz")
    case .tiff: MediaType("public.tiff", "image/tiff", "tiff", "tif")
    case .bmp: MediaType("com.microsoft.bmp", "image/bmp", "bmp", "dib")
    case .ico: MediaType("com.microsoft.ico", "image/vnd.microsoft.icon", "ico", "cur")
    case .jxl: MediaType("public.jpeg-xl", "image/jxl", "jxl")
    case .jp2: MediaType("public.jpeg-2000", "image/jp2", "jp2", "j2k", "jpx", "jpf")
    case .psd: MediaType("com.adobe.photoshop-image", "image/vnd.adobe.photoshop", "psd")
    case .mov: MediaType("com.apple.quicktime-movie", "video/quicktime", "mov", "qt")
    case .threeGP: MediaType("public.3gpp", "video/3gpp", "3gp", "3gpp", "3g2")
    case .webm: MediaType("org.webmproject.webm", "video/webm", "webm")
    case .avi: MediaType("public.avi", "video/vnd.avi", "avi")
    case .mpeg: MediaType("public.mpeg", "video/mpeg", "mpg", "mpeg", "m2v", "vob")
    case .wav: MediaType("com.microsoft.waveform-audio", "audio/wav", "wav", "wave")
    case .aiff: MediaType("public.aiff-audio", "audio/aiff", "aiff", "aif", "aifc")
    case .flac: MediaType("org.xiph.flac", "audio/flac", "flac")
    case .ogg: MediaType("org.xiph.ogg-audio", "audio/ogg", "ogg", "oga", "opus")
    case .amr: MediaType("org.3gpp.adaptive-multi-rate-audio", "audio/amr", "amr")
    case .pdf: MediaType("com.adobe.pdf", "application/pdf", "pdf")
    case .html: MediaType("public.html", "text/html", "html", "htm", "xhtml")
    case .txt: MediaType("public.plain-text", "text/plain", "txt", "text")
    case .zip: MediaType("public.zip-archive", "application/zip", "zip")
    case .other: nil
    }
  }

  /// Formats that commonly bear a file-name extension, the likeliest first.
  ///
  /// - Parameter filenameExtension: Without a dot, in any case.
  /// - Returns: Nothing for an extension that no known format uses.
  public static func named(byExtension filenameExtension: String) -> [MediaFormat] {
    let wanted = filenameExtension.lowercased()
    return allCases.filter { $0.type?.filenameExtensions.contains(wanted) ?? false }
  }
}
