/// Why a policy file is no policy.
public struct PolicyError: Error, Sendable, Hashable {
  /// The closed set of reasons; raw values are what reports print.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// Not JSON, or no object at the top.
    case malformed
    /// A key that no policy has.
    case unknownKey = "unknown-key"
    /// A key that every policy must have.
    case missingKey = "missing-key"
    /// A number where words belong, and the like.
    case wrongType = "wrong-type"
    /// A value of the right type that makes no sense, such as a negative limit.
    case invalidValue = "invalid-value"
    /// A format that Affix has no name for.
    case unknownFormat = "unknown-format"
    /// A format that is neither checked in its structure nor decoded.
    case uncheckedFormat = "unchecked-format"
    /// A kind other than image, audio and movie.
    case unknownKind = "unknown-kind"
    /// A reference to a policy that does not come with Affix.
    case unknownPolicy = "unknown-policy"
  }

  /// Which reason.
  public let code: Code
  /// Where in the file, which value, what to do; one line.
  public let message: String

  /// A reason with its explanation.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
