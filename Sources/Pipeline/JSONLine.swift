import AttachmentModel
import TimeBudgets

/// Writes one JSON text, front to back, in the order in which it is told.
///
/// A report is written once for every source of a long list: through `JSONEncoder`, whose nested
/// containers are made and sorted anew each time, it took a fifth of a check's processor time.
struct JSONLine {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  init() {
    bytes.reserveCapacity(2_048)
  }

  /// Writes `{...}` as a value.
  mutating func object(_ fields: (inout JSONLine) -> Void) {
    enclosed(UInt8(ascii: "{"), UInt8(ascii: "}"), fields)
  }

  /// Writes a field whose value is an object.
  mutating func object(_ name: StaticString, _ fields: (inout JSONLine) -> Void) {
    key(name)
    object(fields)
  }

  /// Writes a field whose value is a list with an object an element.
  mutating func list<Element>(
    _ name: StaticString,
    of elements: [Element],
    _ fields: (inout JSONLine, Element) -> Void
  ) {
    key(name)
    enclosed(UInt8(ascii: "["), UInt8(ascii: "]")) { line in
      for element in elements { line.object { fields(&$0, element) } }
    }
  }

  /// Writes a text; nothing where there is none.
  mutating func text(_ name: StaticString, _ value: String?) {
    guard let value else { return }
    key(name)
    string(value)
    needsComma = true
  }

  /// Writes a whole number; nothing where there is none.
  mutating func number(_ name: StaticString, _ value: (some BinaryInteger)?) {
    guard let value else { return }
    key(name)
    bytes.append(addingCapacity: Self.longestNumber) { text in
      if value < 0 { text.append(UInt8(ascii: "-")) }
      Self.write(UInt64(value.magnitude), to: &text)
    }
    needsComma = true
  }

  /// Writes a number of bytes; nothing where there is none.
  mutating func size(_ name: StaticString, _ value: ByteCount?) {
    number(name, value?.bytes)
  }

  /// Writes a time in milliseconds, rounded to three decimals; nothing where there is none.
  mutating func time(_ name: StaticString, _ value: Duration?) {
    guard let value else { return }
    key(name)
    needsComma = true
    // Half of a report's phases took none, and a duration is slow to take apart.
    guard value != .zero else { return bytes.append(UInt8(ascii: "0")) }
    let (seconds, attoseconds) = value.components
    let microseconds = seconds * 1_000_000 + (attoseconds + 500_000_000_000) / 1_000_000_000_000
    bytes.append(addingCapacity: Self.longestNumber + 4) { text in
      if microseconds < 0 { text.append(UInt8(ascii: "-")) }
      Self.write(microseconds.magnitude / 1_000, to: &text)
      var rest = microseconds.magnitude % 1_000
      if rest > 0 { text.append(UInt8(ascii: ".")) }
      var place: UInt64 = 100
      while rest > 0 {
        text.append(UInt8(ascii: "0") + UInt8(rest / place))
        rest %= place
        place /= 10
      }
    }
  }

  /// The most bytes of a whole number, its sign included.
  private static let longestNumber = 21

  private static func write(_ value: UInt64, to text: inout OutputSpan<UInt8>) {
    if value > 9 { write(value / 10, to: &text) }
    text.append(UInt8(ascii: "0") + UInt8(value % 10))
  }

  private mutating func enclosed(
    _ opening: UInt8,
    _ closing: UInt8,
    _ content: (inout JSONLine) -> Void
  ) {
    separate()
    bytes.append(opening)
    needsComma = false
    content(&self)
    bytes.append(closing)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = false
  }

  private mutating func key(_ name: StaticString) {
    bytes.append(addingCapacity: name.utf8CodeUnitCount + 4) { text in
      if needsComma { text.append(UInt8(ascii: ",")) }
      text.append(UInt8(ascii: "\""))
      // Invariant: a static string's bytes live as long as the process.
      name.withUTF8Buffer { for byte in $0 { text.append(byte) } }
      text.append(UInt8(ascii: "\""))
      text.append(UInt8(ascii: ":"))
    }
    needsComma = false
  }

  /// A string with what JSON demands escaped (RFC 8259, section 7); all else is UTF-8.
  private mutating func string(_ value: String) {
    let characters = value.utf8.span
    // Most have nothing to escape, and are copied as they stand.
    guard Self.isPlain(characters) else {
      bytes.append(UInt8(ascii: "\""))
      for byte in value.utf8 { escaped(byte) }
      return bytes.append(UInt8(ascii: "\""))
    }
    bytes.append(addingCapacity: characters.count + 2) { text in
      text.append(UInt8(ascii: "\""))
      for index in characters.indices { text.append(characters[index]) }
      text.append(UInt8(ascii: "\""))
    }
  }

  private static func isPlain(_ text: Span<UInt8>) -> Bool {
    for index in text.indices where !isPlain(text[index]) { return false }
    return true
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private mutating func escaped(_ byte: UInt8) {
    if Self.isPlain(byte) {
      bytes.append(byte)
    } else if byte < 0x20 {
      let digits = Array("0123456789abcdef".utf8)
      bytes += "\\u00".utf8
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    } else {
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(byte)
    }
  }
}
