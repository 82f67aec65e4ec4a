/// Why there is no answer about a file, where the file is not to blame.
public struct ExaminationError: Error, Sendable, Hashable {
  /// The closed set of reasons; raw values are the codes that reports print.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The file cannot be read, or no child can be started to examine it.
    case unreadable
    /// A library that examines files is missing from the machine, or of no use.
    case libraryUnavailable = "library-unavailable"
    /// The time was over before there was an answer.
    case budgetSpent = "budget-spent"
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
