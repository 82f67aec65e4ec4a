/// What sample entries and MPEG-4 object types are called.
///
/// Sources: the MP4 registration authority's lists of codecs and object types (mp4ra.org);
/// ISO/IEC 14496-3, table 1.17, for audio object types; Apple, QuickTime File Format, for the
/// older names.
enum ISOMediaCodecs {
  /// A video codec's name; the entry's own name where it is none of the known ones.
  static func video(_ entry: FourCharacterCode, objectType: UInt8?) -> String {
    switch entry {
    case "avc1", "avc2", "avc3", "avc4", "dva1", "dvav": "h264"
    case "hvc1", "hev1", "hvc2", "hev2", "dvh1", "dvhe": "hevc"
    case "vvc1", "vvi1": "vvc"
    case "av01": "av1"
    case "vp08": "vp8"
    case "vp09": "vp9"
    case "s263", "h263", "H263": "h263"
    case "mp4v": objectType.flatMap(video(objectType:)) ?? "mpeg4"
    case "xvid", "XVID", "DIVX": "mpeg4"
    case "jpeg", "mjpa", "mjpb", "MJPG", "AVDJ": "mjpeg"
    case "mjp2": "jpeg2000"
    case "png": "png"
    case "apch", "apcn", "apcs", "apco", "ap4h", "ap4x": "prores"
    case "m1v", "mp1v", "mpeg": "mpeg1video"
    case "mp2v", "m2v1", "mx5p", "mx3p": "mpeg2video"
    case "rle": "qtrle"
    case "cvid": "cinepak"
    case "raw", "2vuy", "yuv2", "v210": "rawvideo"
    case "dvc", "dvcp", "dvpp", "dv5n", "dv5p": "dv"
    default: entry.text.lowercased()
    }
  }

  /// An audio codec's name; the entry's own name where it is none of the known ones.
  static func audio(
    _ entry: FourCharacterCode,
    objectType: UInt8?,
    audioObjectType: UInt8?
  ) -> String {
    switch entry {
    case "mp4a", "aac": objectType.map { audio(objectType: $0, audioObjectType) } ?? "aac"
    case "alac": "alac"
    case "Opus": "opus"
    case "fLaC": "flac"
    case ".mp3", FourCharacterCode(0x6D73_0055): "mp3"
    case "ac-3", "sac3": "ac3"
    case "ec-3": "eac3"
    case "ac-4": "ac4"
    case "samr": "amr"
    case "sawb": "amr-wb"
    case "sevc": "evrc"
    case "sqcp", "Qclp": "qcelp"
    case "dtsc", "dtse", "dtsh", "dtsl": "dts"
    case "mha1", "mha2", "mhm1", "mhm2": "mpegh"
    case "sowt": "pcm_s16le"
    case "twos": "pcm_s16be"
    case "raw", "NONE": "pcm_u8"
    case "in24": "pcm_s24be"
    case "in32": "pcm_s32be"
    case "fl32": "pcm_f32be"
    case "fl64": "pcm_f64be"
    case "lpcm", "ipcm", "fpcm": "pcm"
    case "ulaw": "pcm_mulaw"
    case "alaw": "pcm_alaw"
    case "ima4": "adpcm_ima_qt"
    default: entry.text.lowercased()
    }
  }

  /// What an audio codec is called in a sentence.
  static func title(_ codec: String) -> String {
    switch codec {
    case "opus": "Opus"
    case "vorbis": "Vorbis"
    case "ac3": "AC-3"
    case "eac3": "E-AC-3"
    case "mpegh": "MPEG-H"
    case _ where codec.hasPrefix("pcm"): "PCM"
    case _ where codec.hasPrefix("mpeg-4"): codec
    default: codec.uppercased()
    }
  }

  private static func video(objectType: UInt8) -> String? {
    switch objectType {
    case 0x20: "mpeg4"
    case 0x21: "h264"
    case 0x23: "hevc"
    case 0x60...0x65: "mpeg2video"
    case 0x6A: "mpeg1video"
    case 0x6C: "mjpeg"
    case 0x6D: "png"
    case 0x6E: "jpeg2000"
    case 0xB1: "vp9"
    default: nil
    }
  }

  private static func audio(objectType: UInt8, _ audioObjectType: UInt8?) -> String {
    switch objectType {
    case 0x40:
      switch audioObjectType {
      case 8: "celp"
      case 9: "hvxc"
      case 32: "mp1"
      case 33: "mp2"
      case 34: "mp3"
      case 35: "dst"
      case 36: "als"
      case 37, 38: "sls"
      default: "aac"
      }
    case 0x66...0x68: "aac"
    case 0x69, 0x6B: "mp3"
    case 0xA5: "ac3"
    case 0xA6: "eac3"
    case 0xA9...0xAC: "dts"
    case 0xAD: "opus"
    case 0xDD: "vorbis"
    case 0xE1: "qcelp"
    default: "mpeg-4 object type \(objectType)"
    }
  }
}
