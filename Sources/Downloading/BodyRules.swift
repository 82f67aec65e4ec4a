/// What becomes of a body's bytes as they come.
public struct BodyRules: Sendable {
  /// Tells of the next bytes how many are alike, from the first on, and whether they are needed.
  ///
  /// Invariant: the buffer is valid for the call; the count is one at least, and no more than its.
  public typealias Skimmer = (UnsafeRawBufferPointer) -> (count: Int, isNeeded: Bool)

  /// Whether all of the body must be in a file; default: it must.
  ///
  /// Otherwise it stays in memory where there is room.
  public var needsFile = true
  /// Whether it is hashed on its way; default: false.
  public var hashes = false
  /// Makes what tells, on the transfer loop, which bytes are left out where no file is needed;
  /// default: every byte is needed.
  public var makeSkimmer: (@Sendable () -> Skimmer)?

  /// The defaults: a body goes into a file as it comes.
  public init() {}
}
