/// Finds where a text stops being JSON.
///
/// Source: RFC 8259.
package struct JSONSyntax {
  /// Nothing that people write nests deeper; what does is a fault where it does.
  private static let depthLimit = 32

  private let bytes: [UInt8]
  private var position = 0

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The place of the first byte that cannot stand where it does.
  ///
  /// - Parameter bytes: The whole text.
  /// - Returns: `line 3, column 5`, or nothing where all of it is JSON.
  package static func firstFault(in bytes: [UInt8]) -> String? {
    var syntax = JSONSyntax(bytes)
    if syntax.value(depth: 0) {
      syntax.skipSpace()
      if syntax.position == bytes.count { return nil }
    }
    return syntax.place
  }

  /// Lines end in LF; columns are characters, not bytes.
  private var place: String {
    let before = bytes[..<min(position, bytes.count)]
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
    return "line \(line), column \(column)"
  }

  private var next: UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let next, next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let next, [0x20, 0x09, 0x0A, 0x0D].contains(next) { position += 1 }
  }

  private mutating func value(depth: Int) -> Bool {
    skipSpace()
    guard depth < Self.depthLimit, let next else { return false }
    switch Unicode.Scalar(next) {
    case "{": return list(closing: "}", depth: depth, isObject: true)
    case "[": return list(closing: "]", depth: depth, isObject: false)
    case "\"": return string()
    case "t": return word("true")
    case "f": return word("false")
    case "n": return word("null")
    default: return number()
    }
  }

  private mutating func list(closing: Unicode.Scalar, depth: Int, isObject: Bool) -> Bool {
    position += 1
    skipSpace()
    if take(closing) { return true }
    while true {
      if isObject {
        skipSpace()
        guard string() else { return false }
        skipSpace()
        guard take(":") else { return false }
      }
      guard value(depth: depth + 1) else { return false }
      skipSpace()
      if take(closing) { return true }
      guard take(",") else { return false }
    }
  }

  private mutating func string() -> Bool {
    guard take("\"") else { return false }
    while let next, next >= 0x20 {
      if take("\"") { return true }
      position += 1
      if next == UInt8(ascii: "\\"), !escape() { return false }
    }
    return false
  }

  private mutating func escape() -> Bool {
    if take("u") { return (0..<4).allSatisfy { _ in hexadecimalDigit() } }
    guard let next, "\"\\/bfnrt".utf8.contains(next) else { return false }
    position += 1
    return true
  }

  private mutating func hexadecimalDigit() -> Bool {
    guard let next, Character(Unicode.Scalar(next)).isHexDigit else { return false }
    position += 1
    return true
  }

  private mutating func word(_ word: String) -> Bool {
    word.unicodeScalars.allSatisfy { take($0) }
  }

  private mutating func number() -> Bool {
    _ = take("-")
    if !take("0") {
      guard digits() else { return false }
    }
    if take("."), !digits() { return false }
    if take("e") || take("E") {
      _ = take("+") || take("-")
      return digits()
    }
    return true
  }

  private mutating func digits() -> Bool {
    let start = position
    while let next, (0x30...0x39).contains(next) { position += 1 }
    return position > start
  }
}
