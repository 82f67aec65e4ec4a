import FoundationEssentials

/// Any JSON value: what requests are read from, and small answers are written with.
enum JSONNode: Sendable, Hashable {
  case null
  case bool(Bool)
  case number(Int64)
  /// A number with a fraction or an exponent.
  case fraction(Double)
  case text(String)
  case list([JSONNode])
  /// Fields in the order in which they are written.
  case object([Field])

  struct Field: Sendable, Hashable {
    let name: String
    let value: JSONNode
  }

  /// Reads a JSON text.
  ///
  /// Makes nothing of anything that is none, or in another encoding (RFC 8259, section 8.1).
  ///
  /// - Parameter bytes: UTF-8.
  init?(parsing bytes: [UInt8]) {
    // The decoder takes UTF-16 and UTF-32, too, which have zeros where JSON may have none.
    guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil,
      let node = try? JSONDecoder().decode(JSONNode.self, from: Data(bytes))
    else { return nil }
    self = node
  }

  /// The fields of an object.
  var fields: [Field]? {
    if case .object(let fields) = self { fields } else { nil }
  }

  /// A field's value.
  subscript(_ name: String) -> JSONNode? {
    fields?.first { $0.name == name }?.value
  }

  /// The text as it is written, without white space.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  private func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .number(let value): bytes += String(value).utf8
    case .fraction(let value): bytes += (value.isFinite ? "\(value)" : "null").utf8
    case .text(let value): Self.write(value, to: &bytes)
    case .list(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let fields):
      bytes.append(UInt8(ascii: "{"))
      for (index, field) in fields.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.write(field.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        field.value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// A string with what JSON demands escaped (RFC 8259, section 7).
  private static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0..<0x20:
        let digits = Array("0123456789abcdef".utf8)
        bytes += "\\u00".utf8
        bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

extension JSONNode: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral value: String) { self = .text(value) }
  init(integerLiteral value: Int64) { self = .number(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(arrayLiteral elements: JSONNode...) { self = .list(elements) }
  init(dictionaryLiteral elements: (String, JSONNode)...) {
    self = .object(elements.map { Field(name: $0.0, value: $0.1) })
  }
}

extension JSONNode: Decodable {
  private struct Name: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Reads whatever is there; objects lose the order of their fields.
  init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: Name.self) {
      self = .object(
        try object.allKeys.map {
          Field(name: $0.stringValue, value: try object.decode(JSONNode.self, forKey: $0))
        }
      )
      return
    }
    if var list = try? decoder.unkeyedContainer() {
      var values: [JSONNode] = []
      while !list.isAtEnd { values.append(try list.decode(JSONNode.self)) }
      self = .list(values)
      return
    }
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let flag = try? value.decode(Bool.self) {
      self = .bool(flag)
    } else if let number = try? value.decode(Int64.self) {
      self = .number(number)
    } else if let number = try? value.decode(Double.self) {
      self = .fraction(number)
    } else {
      self = .text(try value.decode(String.self))
    }
  }
}
