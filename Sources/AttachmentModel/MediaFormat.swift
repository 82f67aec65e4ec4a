/// Every format that Affix can name; the raw values are what reports print.
public enum MediaFormat: String, Sendable, Hashable, Codable, CaseIterable {
  // Accepted by the default policy.
  case jpeg
  case png
  case apng
  case gif
  case mp4Video = "mp4-video"
  case m4aAAC = "m4a-aac"
  case m4aALAC = "m4a-alac"
  case aacADTS = "aac-adts"
  case mp3

  // Recognised images.
  case webp
  case heic
  case avif
  case svg
  case tiff
  case bmp
  case ico
  case jxl
  case jp2
  case psd

  // Recognised movies.
  case mov
  case threeGP = "3gp"
  case webm
  case avi
  case mpeg

  // Recognised audio.
  case wav
  case aiff
  case flac
  case ogg
  case amr

  // Recognised documents.
  case pdf
  case html
  case txt
  case zip

  /// Anything else, named or unknown.
  case other
}
