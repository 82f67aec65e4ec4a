/// A request before its body: everything that decides what becomes of it.
struct RequestHead: Sendable {
  /// The method as sent.
  let methodName: String
  /// The target as sent.
  let targetText: String
  /// Names in lower case.
  let fields: [Field]
  /// The client's numeric address.
  let clientAddress: String
  /// When the request line arrived, on the system's stopwatch.
  let arrival: Duration

  /// A header field.
  struct Field: Sendable, Hashable {
    let name: String
    let value: String
  }

  /// The method, where it is one that anything here understands.
  var method: HTTPMethod? {
    HTTPMethod(rawValue: methodName)
  }

  /// The first value of a field.
  subscript(_ name: String) -> String? {
    fields.first { $0.name == name }?.value
  }

  /// Every value of a field.
  func values(of name: String) -> [String] {
    fields.filter { $0.name == name }.map(\.value)
  }

  /// The elements of a field that is a list, without the spaces around them.
  func list(_ name: String) -> [String] {
    values(of: name).flatMap { $0.split(separator: ",") }.map { piece in
      let start = piece.drop { $0 == " " || $0 == "\t" }
      let end = start.lastIndex { $0 != " " && $0 != "\t" }
      return end.map { String(start[...$0]) } ?? ""
    }
  }

  /// The body's length, where the head tells.
  var contentLength: Int? {
    self["content-length"].flatMap { Int($0) }
  }

  /// Whether everybody sees the body's end in the same place (RFC 9112, section 6.3): one length,
  /// or chunks and nothing else.
  var isSoundlyFramed: Bool {
    let lengths = values(of: "content-length")
    let codings = list("transfer-encoding").map { $0.lowercased() }
    if codings.isEmpty { return Set(lengths).count <= 1 }
    return lengths.isEmpty && codings == ["chunked"]
  }

  /// Whether everybody sees the request go to the same host (RFC 9112, section 3.2); libmicrohttpd
  /// has refused those of HTTP/1.1 that name none.
  var namesOneHost: Bool {
    let hosts = values(of: "host")
    return hosts.count <= 1 && hosts.allSatisfy { HostField($0) != nil }
  }

  /// The same request with its target in origin form.
  ///
  /// An absolute target names the host itself, and `Host` is then ignored (RFC 9112, section 3.2.2).
  /// One without a host is invalid (RFC 9110, section 4.2.1), and stays as it is: nobody reads it.
  var inOriginForm: RequestHead {
    let start = targetText.prefix(8).lowercased()
    guard let scheme = ["http://", "https://"].first(where: { start.hasPrefix($0) }) else {
      return self
    }
    let rest = targetText.dropFirst(scheme.count)
    let host = rest.prefix { $0 != "/" && $0 != "?" }
    guard let first = host.first, first != ":" else { return self }
    let path = rest[host.endIndex...]
    return RequestHead(
      methodName: methodName,
      targetText: path.first == "/" ? String(path) : "/\(path)",
      fields: fields.filter { $0.name != "host" } + [Field(name: "host", value: String(host))],
      clientAddress: clientAddress,
      arrival: arrival
    )
  }

  /// Whether a body follows.
  var hasBody: Bool {
    self["transfer-encoding"] != nil || (contentLength ?? 0) > 0
  }

  /// `Content-Type` without its parameters, in lower case.
  var contentType: String? {
    self["content-type"].map { text in
      text.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
    }
  }
}
