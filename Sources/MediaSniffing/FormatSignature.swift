public import AttachmentModel

/// Tells formats apart by their first bytes alone.
///
/// Costs microseconds, reads nothing but what it is given and never blocks, so that a download
/// can be ended as soon as a refused type is certain. Structure may still say otherwise, unless
/// the recognition settles it.
public enum FormatSignature {
  /// What the first bytes tell.
  public enum Recognition: Sendable, Hashable {
    /// A known signature; `settles` is whether no later byte can make it another format.
    case recognized(MediaFormat, contentName: String, settles: Bool)
    /// More bytes would tell.
    case undecided
    /// No known signature.
    case unknown
  }

  /// The most bytes that are looked at; more change nothing.
  public static let longestPrefix = 4_096

  /// Compares the beginning of a file with every known signature.
  ///
  /// - Parameters:
  ///   - prefix: The first bytes; what lies behind `longestPrefix` is ignored.
  ///   - isWhole: Whether the file ends with the prefix.
  /// - Returns: The format that is meant, with its name in a sentence.
  public static func recognize(_ prefix: some Collection<UInt8>, isWhole: Bool) -> Recognition {
    switch compare(prefix, isWhole: isWhole) {
    case .signature(let found):
      .recognized(found.format, contentName: found.name, settles: found.settles)
    case .undecided: .undecided
    case .unknown: .unknown
    }
  }

  /// What is known of a file of which there are the first bytes alone.
  ///
  /// - Parameters:
  ///   - prefix: The first bytes; what lies behind `longestPrefix` is ignored.
  ///   - fileSize: The size of the whole.
  /// - Returns: Format, name and class; nothing where no signature is recognised.
  public static func inspection(
    of prefix: some Collection<UInt8>,
    fileSize: ByteCount
  ) -> MediaInspection? {
    guard case .signature(let found) = compare(prefix, isWhole: false) else { return nil }
    var inspection = MediaInspection(format: .other, size: fileSize)
    found.identify(&inspection)
    return inspection
  }

  private static func compare(
    _ prefix: some Collection<UInt8>,
    isWhole: Bool
  ) -> SignatureMatch {
    // Copied as one block where the bytes lie side by side, as they do in every buffer.
    let bytes =
      prefix.withContiguousStorageIfAvailable { Array($0.prefix(longestPrefix)) }
      ?? Array(prefix.prefix(longestPrefix))
    let isShort = prefix.count <= longestPrefix
    let first = FilePrefix(bytes, isWhole: isWhole && isShort)
    let match = match(first)
    return match == .undecided && !isShort ? .unknown : match
  }

  /// Bytes that may stand before `%PDF-` (ISO 32000-1, annex H, implementation note 13).
  static let junkBeforePDF = 1_024

  static func match(_ prefix: FilePrefix) -> SignatureMatch {
    if let found = ImageSignatures.match(prefix) { return found }
    if let found = ContainerSignatures.match(prefix) { return found }
    if let found = DocumentSignatures.match(prefix) { return found }
    if let found = TextSignatures.match(prefix) { return found }
    if let found = AudioSignatures.match(prefix) { return found }
    if prefix.firstIndex(of: "%PDF-", within: junkBeforePDF + 5) != nil {
      return .signature(.named(.pdf, "a PDF document"))
    }
    return prefix.isWhole || prefix.count >= junkBeforePDF + 5 ? .unknown : .undecided
  }
}
