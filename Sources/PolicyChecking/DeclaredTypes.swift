import AttachmentModel

/// The media types that origins send for a format, registered or in use.
///
/// Source: the IANA media type registry, and the `x-` forms that older servers still send.
enum DeclaredTypes {
  /// Whether a `Content-Type` names the format.
  ///
  /// - Parameters:
  ///   - declared: Without parameters, in lower case.
  ///   - format: What the file is.
  /// - Returns: True also for names that are merely in use.
  static func names(_ declared: String, _ format: MediaFormat) -> Bool {
    declared == format.type?.mimeType || aliases[format]?.contains(declared) ?? false
  }

  /// Types that say nothing about the content.
  static let generic: Set<String> = [
    "application/octet-stream", "binary/octet-stream", "application/binary",
    "application/unknown", "application/x-binary", "application/force-download", "text/plain",
  ]

  private static let aliases: [MediaFormat: Set<String>] = [
    .jpeg: ["image/jpg", "image/pjpeg"],
    .png: ["image/x-png"],
    .apng: ["image/apng", "image/vnd.mozilla.apng"],
    .mp4Video: ["video/x-m4v", "application/mp4"],
    .m4aAAC: ["audio/x-m4a", "audio/m4a", "audio/mp4a-latm", "audio/x-m4b", "application/mp4"],
    .m4aALAC: ["audio/x-m4a", "audio/m4a", "audio/x-m4b", "audio/alac", "application/mp4"],
    .aacADTS: ["audio/aacp", "audio/x-aac", "audio/x-hx-aac-adts", "audio/vnd.dlna.adts"],
    .mp3: ["audio/mp3", "audio/x-mp3", "audio/mpeg3", "audio/x-mpeg", "audio/x-mpeg-3"],
    .heic: ["image/heif", "image/heic-sequence", "image/heif-sequence"],
    .avif: ["image/avif-sequence"],
    .tiff: ["image/tiff-fx"],
    .bmp: ["image/x-bmp", "image/x-ms-bmp"],
    .ico: ["image/x-icon"],
    .jp2: ["image/jpx", "image/jpm"],
    .psd: ["image/x-photoshop", "application/x-photoshop"],
    .threeGP: ["audio/3gpp", "video/3gpp2", "audio/3gpp2", "video/3gp"],
    .webm: ["audio/webm"],
    .avi: ["video/x-msvideo", "video/avi", "video/msvideo"],
    .mpeg: ["video/mp2p", "video/mp1s", "video/x-mpeg", "video/mpeg-system", "video/mp2t"],
    .wav: ["audio/x-wav", "audio/wave", "audio/vnd.wave", "audio/x-pn-wav"],
    .aiff: ["audio/x-aiff"],
    .flac: ["audio/x-flac"],
    .ogg: ["application/ogg", "audio/opus", "audio/vorbis", "video/ogg"],
    .html: ["application/xhtml+xml"],
    .zip: ["application/x-zip-compressed", "application/x-zip"],
    .pdf: ["application/x-pdf"],
  ]
}
