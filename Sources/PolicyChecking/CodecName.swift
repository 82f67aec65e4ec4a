/// What codecs are called in reports, and so may be called in policies.
///
/// A list in a policy is held against the names that the structure checks give. One that they never
/// give, such as the `avc1` of a track's tag, would accept nothing, and nobody would know why.
///
/// What the checks have no name for, they call as the file does: that may be in a policy, too.
enum CodecName {
  /// Those of pictures that move.
  static let video = [
    "h264", "hevc", "mpeg4", "h263", "vvc", "av1", "vp8", "vp9", "theora", "mpeg1video",
    "mpeg2video", "msmpeg4v1", "msmpeg4v2", "msmpeg4v3", "mjpeg", "jpeg2000", "png", "prores", "dv",
    "cinepak", "qtrle", "rawvideo",
  ]

  /// Those of sound.
  static let audio = [
    "aac", "alac", "mp3", "mp2", "mp1", "opus", "vorbis", "flac", "speex", "amr", "amr-wb", "ac3",
    "eac3", "ac4", "dts", "mpegh", "celp", "hvxc", "als", "sls", "dst", "evrc", "qcelp", "wmav1",
    "wmav2", "wmapro", "gsm_ms", "adpcm_ms", "adpcm_ima_wav", "adpcm_ima_qt", "pcm", "pcm_alaw",
    "pcm_mulaw", "pcm_u8", "pcm_s8", "pcm_s16le", "pcm_s24le", "pcm_s32le", "pcm_s64le",
    "pcm_f32le", "pcm_f64le", "pcm_s16be", "pcm_s24be", "pcm_s32be", "pcm_s64be", "pcm_f32be",
    "pcm_f64be", "private",
  ]

  /// Whether reports may call a video codec so.
  static func isOfVideo(_ name: String) -> Bool {
    video.contains(name) || isTag(name) || isIdentifier(name, "v_") || name == "unknown"
  }

  /// Whether reports may call an audio codec so.
  static func isOfAudio(_ name: String) -> Bool {
    audio.contains(name) || isTag(name) || isIdentifier(name, "a_") || name == "unknown"
      || ["wave format ", "mpeg-4 object type "].contains { isNumber(name, after: $0) }
      || ["le", "be"].contains { order in
        name.hasSuffix(order)
          && ["pcm_s", "pcm_f"].contains { isNumber(String(name.dropLast(2)), after: $0) }
      }
  }

  /// What files call codecs that have another name in reports.
  private static let renamed = Set(
    """
    2vuy 3iv2 ac-3 ac-4 alaw ap4h ap4x apch apcn apco apcs av01 avc1 avc2 avc3 avc4 avdj cvid davc \
    div1 div2 div3 div4 div5 div6 divx dtsc dtse dtsh dtsl dv5n dv5p dva1 dvav dvcp dvh1 dvhd dvhe \
    dvpp dvsd dx50 ec-3 fl32 fl64 fmp4 fpcm h265 hev1 hev2 hvc1 hvc2 i420 ima4 in24 in32 ipcm jpeg \
    lpcm m2v1 m4s2 mha1 mha2 mhm1 mhm2 mjp2 mjpa mjpb mjpg mp1v mp2v mp41 mp42 mp43 mp4a mp4s mp4v \
    mpeg mpg1 mpg2 mpg4 mx3p mx5p none qclp s263 sac3 samr sawb sevc sowt sqcp twos u263 ulaw uyvy \
    v210 vp08 vp09 vp80 vp90 vvc1 vvi1 x264 xvid yuv2 yuy2 yv12 v_vp8 v_vp9 v_av1 v_mpeg4/iso/avc \
    v_mpegh/iso/hevc v_mpeg4/iso/sp v_mpeg4/iso/asp v_mpeg1 v_mpeg2 v_theora v_mjpeg a_vorbis a_opus \
    a_flac a_mpeg/l3 a_mpeg/l2 a_ac3 a_eac3 a_dts a_alac
    """
    .split(separator: " ").map(String.init)
  )

  /// Four characters, as MP4, QuickTime, AVI and AIFF files name codecs.
  private static func isTag(_ name: String) -> Bool {
    name.utf8.count == 4 && isLowerCase(name) && !renamed.contains(name)
  }

  /// As Matroska files name codecs.
  private static func isIdentifier(_ name: String, _ prefix: String) -> Bool {
    name.hasPrefix(prefix) && name != prefix && isLowerCase(name) && !renamed.contains(name)
      && !name.hasPrefix("a_aac")
  }

  private static func isNumber(_ name: String, after prefix: String) -> Bool {
    let digits = name.utf8.dropFirst(prefix.utf8.count)
    return name.hasPrefix(prefix) && !digits.isEmpty
      && digits.allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func isLowerCase(_ name: String) -> Bool {
    name.utf8.allSatisfy { (0x20...0x7E).contains($0) && !(0x41...0x5A).contains($0) }
  }
}
