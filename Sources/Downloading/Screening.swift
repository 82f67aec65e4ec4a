public import AttachmentModel

/// What to do with a transfer once its first bytes are known.
public enum Screening: Sendable, Hashable {
  /// The first bytes do not tell yet.
  case more
  /// Fetch it whole, unless it is larger than that; nothing: than the rules allow.
  case proceed(upTo: ByteCount? = nil)
  /// The verdict is settled: no further byte would change it.
  case settled(EarlyEnd)
}

/// What a transfer is held against while it runs.
///
/// The closure runs on the transfer loop for every source, so it must take microseconds: no
/// structure, no libmagic, no decoding.
public struct ScreeningRules: Sendable {
  /// How many first bytes are offered at most; what is undecided then proceeds.
  public static let prefixSize = 4_096

  /// The most bytes, decoded, that are fetched of anything.
  public var sizeLimit: ByteCount
  /// Looks at the head and the first bytes.
  public var judge: @Sendable (ResponseHead, [UInt8]) -> Screening

  /// Rules for a transfer; without a judge, everything up to the limit is fetched.
  public init(
    sizeLimit: ByteCount,
    judge: @escaping @Sendable (ResponseHead, [UInt8]) -> Screening = { _, _ in .proceed() }
  ) {
    self.sizeLimit = sizeLimit
    self.judge = judge
  }
}
