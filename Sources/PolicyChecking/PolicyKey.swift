import AttachmentModel

/// A key that a policy file may have, and what it says.
package struct PolicyKey: Sendable, Hashable {
  /// As it is written.
  package let name: String
  /// Whether a file without it is no policy.
  package let isRequired: Bool
  /// What it says, in a line.
  package let meaning: String

  private init(_ name: String, _ meaning: String, isRequired: Bool = false) {
    self.name = name
    self.isRequired = isRequired
    self.meaning = meaning
  }

  /// The keys of a policy itself, in the order in which they are printed.
  package static let ofPolicy = [
    PolicyKey(
      "name",
      "what reports call it: lower-case letters, digits and hyphens",
      isRequired: true
    ),
    PolicyKey("title", "what it stands for, in a few words", isRequired: true),
    PolicyKey("summary", "what it accepts and why, in a sentence or two", isRequired: true),
    PolicyKey("sources", "where its rules come from, a list of texts", isRequired: true),
    PolicyKey(
      "platform",
      "a policy that comes with Affix: what that one would refuse is the warning platform-limit"
    ),
    PolicyKey(
      "kinds",
      "the limits of every format of a kind: \(Wording.list(MediaKind.allCases))"
    ),
    PolicyKey(
      "formats",
      "the accepted formats, each with limits that go before those of its kind, or with {}: "
        + Wording.list(MediaFormat.allCases.filter(AttachmentPolicy.checkedFormats.contains)),
      isRequired: true
    ),
  ]

  /// The keys of limits, under a kind or a format.
  package static let ofLimits = [
    PolicyKey(
      "max_bytes",
      "the most bytes; without it \(Wording.grouped(AttachmentPolicy.usualLimit.bytes))"
    ),
    PolicyKey("max_pixels", "the most pixels of a frame, width times height"),
    PolicyKey("max_frames", "the most frames"),
    PolicyKey("max_duration_ms", "the longest playing time"),
    PolicyKey(
      "memory_bytes",
      "what a device may hold decoded: from five sixths of it on there is the warning memory"
    ),
    PolicyKey(
      "video_codecs",
      "the video codecs that play, the best remedy first, as in [\"h264\"]: "
        + CodecName.video.joined(separator: ", ") + ", or what a report calls another"
    ),
    PolicyKey(
      "audio_codecs",
      "the audio codecs that play, the best remedy first, as in [\"aac\"]: "
        + CodecName.audio.joined(separator: ", ") + ", or what a report calls another"
    ),
  ]
}
