public import AttachmentModel

/// What a download brought: the whole file, or as much as was needed to settle the verdict.
public struct Download: Sendable {
  /// How it ended.
  public enum Ending: Sendable {
    /// The body is in a file; no file where the body was empty. Where no file was needed, what the
    /// rules left out reads as zeros.
    case completed(AttachmentFile?)
    /// The body is in memory, since nobody needs a file.
    case held(HeldBody)
    /// The verdict was settled before the end; these are the first bytes, if any came.
    case endedEarly(EarlyEnd, prefix: [UInt8])
  }

  /// How it ended.
  public var ending: Ending
  /// Who answered, what was said, where the time went.
  public var metrics: TransferMetrics
  /// The SHA-256 of a body that came whole, 64 lower-case hexadecimal digits, where the rules wanted
  /// it; nothing for a copy from the cache.
  public var sha256: String?
}
