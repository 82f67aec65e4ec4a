/// What a client asked of a test origin.
public struct OriginRequest: Sendable, Hashable {
  /// The method, as sent.
  public var method: String
  /// Path and query, as sent: nothing is decoded.
  public var target: String
  /// `HTTP/1.1` and the like.
  public var version: String
  /// The header fields in the order sent.
  public var headers: [OriginHeader]
  /// When the head had arrived, from the origin's start.
  public var time: Duration
  /// Which connection it came over: the origin numbers them from 1.
  public var connection: Int

  /// The first value of a header field.
  public subscript(name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The first part of the path, by which the origin knows its routes.
  var token: Substring {
    target.drop { $0 == "/" }.prefix { $0 != "/" && $0 != "?" }
  }

  /// Whether the client expects to go on using the connection.
  var keepsAlive: Bool {
    version == "HTTP/1.1" && self["Connection"]?.lowercased() != "close"
  }
}

/// One header field.
public struct OriginHeader: Sendable, Hashable {
  /// The name, as sent.
  public var name: String
  /// The value, without blanks around it.
  public var value: String

  /// A field; neither part may hold a line break.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension OriginRequest {
  /// Reads a head, without its empty last line.
  ///
  /// Makes nothing where the first line has not three parts.
  init?(head: [UInt8], time: Duration, connection: Int) {
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
    guard let first = lines.first?.split(separator: " "), first.count == 3 else { return nil }
    self.init(
      method: String(first[0]),
      target: String(first[1]),
      version: String(first[2]),
      headers: lines.dropFirst().compactMap { line in
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let value = line[line.index(after: colon)...].drop { $0 == " " }
        return OriginHeader(String(line[..<colon]), String(value))
      },
      time: time,
      connection: connection
    )
  }
}
