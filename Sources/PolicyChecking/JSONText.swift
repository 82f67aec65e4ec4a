/// Lays JSON out the way people write policy files: short things on one line, keys in order.
///
/// `JSONEncoder` either sorts keys or leaves their order to chance, and neither reads well.
enum JSONText {
  static func string(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case ..<" ":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  static func inline(_ members: [(String, String)]) -> String {
    members.isEmpty
      ? "{}" : "{ " + members.map { "\(string($0)): \($1)" }.joined(separator: ", ") + " }"
  }

  static func object(_ members: [(String, String)], depth: Int) -> String {
    block(members.map { "\(string($0)): \($1)" }, "{", "}", depth)
  }

  static func lines(_ values: [String], depth: Int) -> String {
    values.isEmpty ? "[]" : block(values, "[", "]", depth)
  }

  private static func block(
    _ lines: [String],
    _ opening: String,
    _ closing: String,
    _ depth: Int
  ) -> String {
    let margin = String(repeating: "  ", count: depth)
    return opening + "\n" + lines.map { margin + "  " + $0 }.joined(separator: ",\n") + "\n"
      + margin + closing
  }
}
