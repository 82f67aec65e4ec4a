package import AttachmentModel

/// The decoders that are trusted with hostile images, chosen by structure and never by sniffing.
package enum PictureLoader {
  case jpeg
  case png
  case gif
  case webp
  case heif
  case tiff

  /// The decoder of a format, or nothing where none is trusted with it.
  package init?(_ format: MediaFormat) {
    switch format {
    case .jpeg: self = .jpeg
    case .png, .apng: self = .png
    case .gif: self = .gif
    case .webp: self = .webp
    case .heic, .avif: self = .heif
    case .tiff: self = .tiff
    default: return nil
    }
  }

  /// What libvips writes in front of this decoder's error lines.
  var errorNames: [String] {
    switch self {
    case .jpeg: ["VipsJpeg", "jpegload"]
    case .png: ["pngload", "vipspng", "png2vips"]
    case .gif: ["gifload"]
    case .webp: ["webp", "webpload"]
    case .heif: ["heif", "heifload"]
    case .tiff: ["tiff", "tiffload", "TIFF"]
    }
  }

  /// Whether libvips copies the whole file into memory before it decodes.
  ///
  /// `vips_source_map` does so for a custom source; libnsgif and libwebp want all bytes at once.
  var readsWholeFile: Bool {
    self == .gif || self == .webp
  }

  /// Whether several frames can be asked for at once, one below the other.
  var loadsAllFrames: Bool {
    self == .gif || self == .webp
  }
}
