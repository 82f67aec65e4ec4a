/// An orderly answer, which any HTTP server could give.
struct OriginAnswer: Sendable {
  var status = 200
  var headers: [OriginHeader] = []
  var body: [UInt8] = []

  /// An answer, with the type of its body where it has one.
  init(
    status: Int = 200,
    type: String? = nil,
    headers: [OriginHeader] = [],
    body: [UInt8] = []
  ) {
    self.status = status
    self.headers = (type.map { [OriginHeader("Content-Type", $0)] } ?? []) + headers
    self.body = body
  }

  /// Whether the status allows a body at all (RFC 9110, 6.4.1).
  var mayHaveBody: Bool {
    status >= 200 && status != 204 && status != 304
  }

  /// The status line and the given header fields, without the empty last line.
  var openHead: [UInt8] {
    var text = "HTTP/1.1 \(status) \(Self.reason(status))\r\n"
    for field in headers { text += "\(field.name): \(field.value)\r\n" }
    return [UInt8](text.utf8)
  }

  /// The head with further lines, closed by the empty one.
  func head(adding lines: String...) -> [UInt8] {
    openHead + lines.flatMap { [UInt8]("\($0)\r\n".utf8) } + [13, 10]
  }

  /// The whole answer with its Content-Length.
  func bytes(withBody: Bool = true) -> [UInt8] {
    guard mayHaveBody else { return head() }
    return head(adding: "Content-Length: \(body.count)") + (withBody ? body : [])
  }

  /// A reason phrase, which clients ignore.
  static func reason(_ status: Int) -> String {
    let reasons = [
      100: "Continue", 103: "Early Hints", 200: "OK", 204: "No Content", 206: "Partial Content",
      301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
      307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 403: "Forbidden",
      404: "Not Found", 410: "Gone", 416: "Range Not Satisfiable", 429: "Too Many Requests",
      500: "Internal Server Error", 503: "Service Unavailable",
    ]
    return reasons[status] ?? "Status"
  }
}
