import FoundationEssentials

/// A JSON value as it stands in a policy file, before anything is made of it.
///
/// A value of its own rather than `Decodable` structs, because those pass over unknown keys, and
/// because an error should name the place in the file.
enum PolicyDocument: Decodable {
  case null
  case bool(Bool)
  case integer(Int64)
  case fraction(Double)
  case string(String)
  case array([PolicyDocument])
  case object([String: PolicyDocument])

  /// No policy comes near it; a larger file is something else.
  static let maxBytes = 1 << 20

  init(json: [UInt8]) throws(PolicyError) {
    guard json.count <= Self.maxBytes else {
      throw PolicyError(
        .malformed,
        "policy has \(json.count) bytes; the limit is \(Self.maxBytes) bytes"
      )
    }
    // The decoder passes over some faults, and does not tell the place of the others.
    if let place = JSONSyntax.firstFault(in: json) {
      throw PolicyError(
        .malformed,
        "policy is not JSON at \(place); check its brackets, commas and quotes"
      )
    }
    do {
      self = try JSONDecoder().decode(PolicyDocument.self, from: Data(json))
    } catch {
      throw PolicyError(.malformed, "policy holds text or a number that cannot be read")
    }
    if let key = RepeatedKey.first(in: json) {
      throw PolicyError(
        .malformed,
        "policy has \"\(Wording.line(key))\" twice in one object; leave one of them out"
      )
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .fraction(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([PolicyDocument].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: PolicyDocument].self))
    }
  }

  /// What the value is called in an error message.
  private var noun: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .integer(let value): "the number \(value)"
    case .fraction(let value): "the number \(value)"
    case .string(let value): "the string \"\(Wording.line(value))\""
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// The members of an object that may have these keys and no other.
  ///
  /// - Parameters:
  ///   - keys: Every key that may stand here.
  ///   - place: Where in the file, for the error message.
  /// - Returns: The members by key.
  /// - Throws: `wrong-type`, `unknown-key`.
  func members(
    allowing keys: [String],
    at place: String
  ) throws(PolicyError)
    -> [String: PolicyDocument]
  {
    let members = try members(at: place)
    if let stranger = members.keys.filter({ !keys.contains($0) }).min() {
      throw PolicyError(
        .unknownKey,
        "\(place) has the unknown key \"\(Wording.line(stranger))\"; known: \(keys.joined(separator: ", "))"
      )
    }
    return members
  }

  /// The members of an object with any keys.
  func members(at place: String) throws(PolicyError) -> [String: PolicyDocument] {
    guard case .object(let members) = self else { throw wrongType("an object", at: place) }
    return members
  }

  /// A string with something in it.
  func text(at place: String) throws(PolicyError) -> String {
    guard case .string(let text) = self else { throw wrongType("a string", at: place) }
    guard !text.isEmpty else { throw PolicyError(.invalidValue, "\(place) is empty") }
    return text
  }

  /// Strings, each with something in it and none twice.
  func texts(at place: String) throws(PolicyError) -> [String] {
    guard case .array(let values) = self else { throw wrongType("an array of strings", at: place) }
    var texts: [String] = []
    for (index, value) in values.enumerated() {
      let text = try value.text(at: "\(place)[\(index)]")
      guard !texts.contains(text) else {
        throw PolicyError(.invalidValue, "\(place) names \"\(Wording.line(text))\" twice")
      }
      texts.append(text)
    }
    return texts
  }

  /// A whole number above zero.
  func limit(at place: String) throws(PolicyError) -> Int64 {
    switch self {
    case .integer(let value) where value > 0:
      return value
    case .integer(let value):
      throw PolicyError(.invalidValue, "\(place) is \(value); a limit is 1 or more")
    case .fraction(let value):
      throw PolicyError(
        .invalidValue,
        "\(place) is \(value); a limit is a whole number of at most 63 bits"
      )
    default:
      throw wrongType("a whole number", at: place)
    }
  }

  private func wrongType(_ expected: String, at place: String) -> PolicyError {
    PolicyError(.wrongType, "\(place) is \(noun); it must be \(expected)")
  }
}
