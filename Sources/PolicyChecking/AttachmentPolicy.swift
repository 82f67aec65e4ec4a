public import AttachmentModel

/// A platform's rules, as data, and the pure function that holds evidence against them.
public struct AttachmentPolicy: Sendable, Hashable {
  /// The name that reports print.
  public let name: String

  /// A policy that comes with Affix, by name; nothing for an unknown one.
  public static func builtIn(_ name: String) -> AttachmentPolicy? {
    AttachmentPolicy(name: name)
  }

  /// The names of the policies that come with Affix.
  public static let builtInNames = ["push", "apple"]

  /// Whether files of a format may be delivered at all.
  public func accepts(_ format: MediaFormat) -> Bool {
    true
  }

  /// The most bytes of any accepted format: what a transfer may fetch before it is too large.
  public var largestSize: ByteCount {
    .megabytes(50)
  }

  /// What is wrong, and what is worth knowing.
  public func findings(for evidence: AttachmentEvidence) -> PolicyFindings {
    PolicyFindings()
  }
}
