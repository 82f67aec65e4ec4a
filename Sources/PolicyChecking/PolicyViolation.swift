/// A rule that an attachment breaks, or, as a warning, a trait that its sender should know of.
public struct PolicyViolation: Sendable, Hashable, Codable {
  /// A limit or a measured value: a number, or words.
  public enum Value: Sendable, Hashable, Codable, CustomStringConvertible {
    /// A count of bytes, pixels, frames, or milliseconds.
    case number(Int64)
    /// A format, a type, a codec.
    case text(String)

    /// Reads a bare number or string.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Int64.self) {
        self = .number(number)
      } else {
        self = .text(try container.decode(String.self))
      }
    }

    /// Writes a bare number or string.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .number(let number): try container.encode(number)
      case .text(let text): try container.encode(text)
      }
    }

    /// The bare number or string.
    public var description: String {
      switch self {
      case .number(let number): String(number)
      case .text(let text): text
      }
    }
  }

  /// The stable, bounded name of the rule.
  public var code: PolicyCode
  /// What is wrong, with value and limit, in one line.
  public var message: String
  /// The limit, where the rule has one.
  public var limit: Value?
  /// What was found instead.
  public var actual: Value?
  /// Apple's `UNError.Code`, where the system would answer with one.
  public var unError: Int?
  /// The smallest change that would make the attachment deliverable.
  public var remedy: String?

  /// A broken rule.
  public init(
    _ code: PolicyCode,
    _ message: String,
    limit: Value? = nil,
    actual: Value? = nil,
    unError: Int? = nil,
    remedy: String? = nil
  ) {
    self.code = code
    self.message = message
    self.limit = limit
    self.actual = actual
    self.unError = unError
    self.remedy = remedy
  }

  private enum CodingKeys: String, CodingKey {
    case code
    case message
    case limit
    case actual
    case unError = "un_error"
    case remedy
  }
}
