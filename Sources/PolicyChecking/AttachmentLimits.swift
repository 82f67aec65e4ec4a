public import AttachmentModel

/// How far a file may go; whatever is absent is not limited, bytes apart.
public struct AttachmentLimits: Sendable, Hashable {
  /// The most bytes of the file; `AttachmentPolicy.usualLimit` where it is absent.
  public var maxBytes: ByteCount?
  /// The most pixels of one frame, width times height.
  public var maxPixels: Int64?
  /// The most frames.
  public var maxFrames: Int64?
  /// The longest playing time.
  public var maxDuration: Duration?
  /// What a device may hold decoded; never a violation, but a warning from five sixths of it on.
  public var memory: ByteCount?
  /// The video codecs that play, in lower case, the best remedy first.
  public var videoCodecs: [String]?
  /// The audio codecs that play, in lower case, the best remedy first.
  public var audioCodecs: [String]?

  /// No limits at all.
  public init() {}

  /// These limits, with gaps filled from more general ones.
  ///
  /// - Parameter general: Limits of the whole kind.
  /// - Returns: Own limits where there are some, else the general ones.
  public func filled(from general: AttachmentLimits) -> AttachmentLimits {
    var limits = self
    limits.maxBytes = maxBytes ?? general.maxBytes
    limits.maxPixels = maxPixels ?? general.maxPixels
    limits.maxFrames = maxFrames ?? general.maxFrames
    limits.maxDuration = maxDuration ?? general.maxDuration
    limits.memory = memory ?? general.memory
    limits.videoCodecs = videoCodecs ?? general.videoCodecs
    limits.audioCodecs = audioCodecs ?? general.audioCodecs
    return limits
  }

  /// From which decoded size on the `memory` warning is given.
  ///
  /// Five sixths, since a service extension needs memory of its own beside the picture: 20 MB of
  /// the 24 MB after which iOS ends one.
  var memoryWarning: ByteCount? {
    memory.map { ByteCount($0.bytes - $0.bytes / 6) }
  }
}
