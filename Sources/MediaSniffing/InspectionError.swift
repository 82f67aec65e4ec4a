/// Why a file could not be inspected at all: a fault of the machine, never of the file.
public struct InspectionError: Error, Sendable, Hashable {
  /// The closed set of reasons.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The descriptor could not be read.
    case unreadable
    /// libmagic or its database could not be loaded.
    case magicUnavailable = "magic-unavailable"
  }

  /// Which reason.
  public let code: Code
  /// What happened, in one line.
  public let message: String

  /// A reason with its explanation.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
