/// What codecs are called in reports, and so may be called in policies.
///
/// A list in a policy is held against the names that the structure checks give. One that they never
/// give, such as the `avc1` of a track's tag, would accept nothing, and nobody would know why.
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
}
