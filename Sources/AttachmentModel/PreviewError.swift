/// Why there is no preview; never a reason to change a verdict.
public struct PreviewError: Error, Sendable, Hashable, Codable {
  /// The closed set of reasons.
  public enum Code: String, Sendable, Hashable, Codable, CaseIterable {
    /// Not even the smallest picture fits the byte limit.
    case cannotFit = "cannot-fit"
    /// No pixels could be decoded.
    case undecodable
    /// The time was over before a preview was ready.
    case budgetSpent = "budget-spent"
    /// Audio without cover art.
    case noCover = "no-cover"
    /// A movie; its frames are not decoded.
    case movie
    /// More pixels than the limit, judged from the header alone.
    case tooManyPixels = "too-many-pixels"
  }

  /// Which reason.
  public var code: Code
  /// What happened, which value, which limit; one line.
  public var message: String

  /// A reason with its explanation.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
