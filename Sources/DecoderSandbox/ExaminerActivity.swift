public import AttachmentModel

/// What an examiner is doing, and has done so far.
public struct ExaminerActivity: Sendable, Hashable {
  /// Why a child came to its end.
  public enum Ending: String, Sendable, CaseIterable {
    /// Over a file, by a fault of the decoder's.
    case crashed
    /// By a signal from outside while it was at a file, as where memory is short.
    case killed
    /// By its parent, since a file took too long.
    case late
    /// Before it was ready for a file.
    case unstarted
    /// By its parent, since it had done enough.
    case wornOut = "worn-out"
  }

  /// Children that there are.
  public var children = 0
  /// Children that there may be.
  public var childrenLimit = 0
  /// Files that are with children, those that wait there included.
  public var files = 0
  /// Children started so far.
  public var starts = 0
  /// Children that came to their end so far, by reason; those that the examiner's own end takes
  /// along are none of them.
  public var endings: [Ending: Int] = [:]
  /// Resident memory of all children, as the system tells it: what they share is counted in each.
  public var residentMemory = ByteCount(0)

  /// Nothing, as where there are no children.
  public init() {}
}
