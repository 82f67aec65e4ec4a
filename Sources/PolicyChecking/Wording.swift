import AttachmentModel

/// How values are written in messages and remedies.
enum Wording {
  /// `1234567` as `1,234,567`.
  static func grouped(_ number: Int64) -> String {
    String(ByteCount(number).exactly.prefix { $0 != " " })
  }

  /// Foreign words made fit for a message of one line: at most 64 characters, none that controls.
  static func line(_ words: String) -> String {
    let characters = words.prefix(64).map { character in
      let isPlain = character.unicodeScalars.allSatisfy {
        $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
          && $0.properties.generalCategory != .lineSeparator
          && $0.properties.generalCategory != .paragraphSeparator
      }
      return isPlain ? character : "?"
    }
    return String(characters) + (words.count > 64 ? "..." : "")
  }

  /// Raw values, separated by commas.
  static func list(_ values: [some RawRepresentable<String>]) -> String {
    values.map(\.rawValue).joined(separator: ", ")
  }

  /// Whole milliseconds, rounded down.
  static func milliseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    let (sum, overflow2) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
    return overflow2 ? .max : sum
  }

  /// Whole milliseconds, rounded up: what is over a limit must not be told to be as long as that.
  static func fullMilliseconds(_ duration: Duration) -> Int64 {
    let whole = milliseconds(duration)
    return whole < .max && .milliseconds(whole) < duration ? whole + 1 : whole
  }

  /// Seconds with the milliseconds that matter: `5 s`, `5.001 s`.
  static func seconds(_ milliseconds: Int64) -> String {
    var fraction = String(milliseconds % 1_000 + 1_000).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    return grouped(milliseconds / 1_000) + (fraction.isEmpty ? "" : "." + fraction) + " s"
  }

  /// One of a kind, at the beginning of a message.
  static func one(_ kind: MediaKind?) -> String {
    kind?.rawValue ?? "file"
  }

  /// All of a kind, behind "the limit for".
  static func all(_ kind: MediaKind?) -> String {
    switch kind {
    case .image: "images"
    case .audio: "audio"
    case .movie: "movies"
    case nil: "files"
    }
  }

  /// What a format is called in a sentence, with its article.
  static func name(_ format: MediaFormat) -> String {
    switch format {
    case .jpeg: "a JPEG"
    case .png: "a PNG"
    case .apng: "an animated PNG"
    case .gif: "a GIF"
    case .mp4Video: "an MPEG-4 video"
    case .m4aAAC: "an M4A with AAC"
    case .m4aALAC: "an M4A with ALAC"
    case .aacADTS: "raw AAC (ADTS)"
    case .mp3: "an MP3"
    case .webp: "a WebP"
    case .heic: "a HEIC"
    case .avif: "an AVIF"
    case .svg: "an SVG"
    case .tiff: "a TIFF"
    case .bmp: "a BMP"
    case .ico: "an ICO"
    case .jxl: "a JPEG XL"
    case .jp2: "a JPEG 2000"
    case .psd: "a Photoshop file"
    case .mov: "a QuickTime movie"
    case .threeGP: "a 3GP file"
    case .webm: "a WebM"
    case .avi: "an AVI"
    case .mpeg: "an MPEG stream"
    case .wav: "a WAV"
    case .aiff: "an AIFF"
    case .flac: "a FLAC"
    case .ogg: "an Ogg file"
    case .amr: "an AMR file"
    case .pdf: "a PDF"
    case .html: "an HTML page"
    case .txt: "plain text"
    case .zip: "a ZIP archive"
    case .other: "something else"
    }
  }

  /// What a codec is called in a remedy.
  static func codec(_ name: String) -> String {
    switch name {
    case "h264": "H.264"
    case "hevc": "HEVC"
    case "mpeg4": "MPEG-4 part 2"
    case "opus": "Opus"
    default: name.uppercased()
    }
  }
}
