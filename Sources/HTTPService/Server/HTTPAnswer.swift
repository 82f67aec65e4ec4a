import AttachmentModel

/// What a request is answered.
struct HTTPAnswer: Sendable {
  /// What follows the head.
  enum Body: Sendable {
    case bytes([UInt8])
    /// A part of a file.
    case file(AttachmentFile, Range<Int64>)
    /// What comes as it is made.
    case stream(AnswerStream)
  }

  /// A header field.
  struct Field: Sendable, Hashable {
    let name: String
    let value: String
  }

  var status: Int
  var fields: [Field] = []
  var body = Body.bytes([])

  /// An answer with a text of a type.
  init(_ status: Int, _ type: String, _ bytes: some Sequence<UInt8>) {
    self.status = status
    fields = [Field(name: "Content-Type", value: type)]
    body = .bytes(Array(bytes))
  }

  /// An answer without a body.
  init(_ status: Int) {
    self.status = status
  }

  /// An answer in JSON.
  init(_ status: Int = 200, json: JSONNode) {
    self.init(status, "application/json", json.bytes + [UInt8(ascii: "\n")])
  }

  /// Sets a header field in place of what bears its name.
  mutating func set(_ name: String, _ value: String) {
    fields.removeAll { $0.name == name }
    fields.append(Field(name: name, value: value))
  }

  /// How many bytes the body has; nothing where that is not known yet.
  var bodySize: Int64? {
    switch body {
    case .bytes(let bytes): Int64(bytes.count)
    case .file(_, let range): Int64(range.count)
    case .stream: nil
    }
  }
}
