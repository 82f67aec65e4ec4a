public import AttachmentModel

/// A platform's rules, as data, and the pure function that holds evidence against them.
///
/// ```swift
/// let policy = AttachmentPolicy.builtIn("push")
/// let findings = policy?.findings(for: evidence)
/// ```
public struct AttachmentPolicy: Sendable, Hashable {
  /// The name that reports print: lower-case letters, digits and hyphens.
  public let name: String
  /// What the policy stands for, in a few words.
  public let title: String
  /// What it accepts and why, in a sentence or two.
  public let summary: String
  /// Where the rules come from: addresses and notes.
  public let sources: [String]
  /// The built-in policy whose refusals are the warning `platform-limit` here, if any.
  public let platform: String?
  /// Limits of each kind, for every format of it.
  public let kinds: [MediaKind: AttachmentLimits]
  /// The accepted formats, each with limits that go before those of its kind.
  public let formats: [MediaFormat: AttachmentLimits]
  /// The most bytes of any accepted format: what a transfer may fetch before it is too large.
  public let largestSize: ByteCount

  /// Formats that a structure check or a decoder covers, and that a policy may name therefore.
  ///
  /// Whatever else a policy accepted would be let through unseen.
  public static let checkedFormats: Set<MediaFormat> = [
    .jpeg, .png, .apng, .gif, .webp, .bmp, .heic, .avif, .tiff,
    .mp4Video, .threeGP, .mpeg, .avi,
    .m4aAAC, .m4aALAC, .aacADTS, .mp3, .aiff, .wav, .amr, .ogg,
  ]

  /// What a file of an accepted format may have where its policy states no bytes: 50 MB.
  ///
  /// A transfer must have an end. This one is the largest attachment in Apple's table.
  public static let usualLimit = ByteCount.megabytes(50)

  /// Whether files of a format may be delivered at all.
  public func accepts(_ format: MediaFormat) -> Bool {
    formats[format] != nil
  }

  /// The accepted formats in their usual order.
  public var acceptedFormats: [MediaFormat] {
    MediaFormat.allCases.filter(accepts)
  }

  /// The limits of one format: its own, those of its kind, and `usualLimit` where neither states
  /// bytes.
  ///
  /// - Parameter format: Any format.
  /// - Returns: Nothing for a format that is not accepted.
  public func limits(for format: MediaFormat) -> AttachmentLimits? {
    limits(for: format, of: format.kind)
  }

  /// The same for a file whose kind its tracks tell, as those of 3GP do.
  func limits(for format: MediaFormat, of kind: MediaKind?) -> AttachmentLimits? {
    formats[format].map { Self.limits($0, of: kind, among: kinds) }
  }

  static func limits(
    _ own: AttachmentLimits,
    of kind: MediaKind?,
    among kinds: [MediaKind: AttachmentLimits]
  ) -> AttachmentLimits {
    var limits = own.filled(from: kind.flatMap { kinds[$0] } ?? AttachmentLimits())
    limits.maxBytes = limits.maxBytes ?? usualLimit
    return limits
  }

  /// What is wrong, and what is worth knowing.
  ///
  /// Pure: the same evidence always leads to the same findings. Goes through the decision table in
  /// order, and lists each rule once.
  ///
  /// - Parameter evidence: What was claimed, fetched, found and decoded.
  /// - Returns: Violations in the order of precedence, and warnings.
  public func findings(for evidence: AttachmentEvidence) -> PolicyFindings {
    let attachment = JudgedAttachment(evidence, under: self)
    var findings = PolicyFindings()
    var last: PolicyCode?
    // Rows of one code stand side by side.
    for row in DecisionTable.rows where row.code != last {
      guard let occurrence = row.trait.occurrence(in: attachment) else { continue }
      last = row.code
      let violation = PolicyViolation(
        row.code,
        occurrence.message,
        limit: occurrence.limit,
        actual: occurrence.actual,
        unError: row.unError,
        remedy: row.remedy.text(for: attachment, occurrence)
      )
      if row.code.isWarning {
        findings.warnings.append(violation)
      } else {
        findings.violations.append(violation)
      }
    }
    return findings
  }
}
