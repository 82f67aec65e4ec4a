public import AttachmentModel

extension AttachmentReport {
  /// The full-size version of a file that would be delivered, or why there is none.
  public struct Repair: Sendable, Hashable {
    /// What came of it.
    public enum Outcome: Sendable, Hashable {
      /// The file's own bytes are right, and only its name is not.
      case renamed(MediaFormat, size: ByteCount, width: Int?, height: Int?)
      /// The picture was encoded again.
      case encoded(Preview)
      /// It cannot be repaired.
      case unavailable(PreviewError)
    }

    /// What came of it.
    public var outcome: Outcome
    /// Where it is kept; absent where it is not.
    public var path: String?

    /// What came of a repair.
    public init(outcome: Outcome, path: String? = nil) {
      self.outcome = outcome
      self.path = path
    }
  }
}
