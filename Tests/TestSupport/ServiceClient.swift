import Glibc

/// Asks a service as a back end does: one request a connection, answered or not.
public struct ServiceClient: Sendable {
  /// The service's address, without a path.
  public let base: String
  /// Header lines that go along with each request.
  public var headers: [String] = []

  /// A client of a service on a port of this machine.
  public init(port: UInt16) {
    base = "http://127.0.0.1:\(port)"
  }

  /// Asks for something.
  ///
  /// - Parameters:
  ///   - method: How.
  ///   - target: What.
  ///   - fields: Header lines.
  ///   - body: With its length, where there is one.
  ///   - patience: How long to wait for the whole answer.
  /// - Returns: What came; nothing came where there is no connection.
  public func ask(
    _ method: String = "GET",
    _ target: String,
    _ fields: [String] = [],
    body: [UInt8]? = nil,
    patience: Duration = .seconds(20)
  ) async -> RawClient.Reply {
    let end = body.map { ["Content-Length: \($0.count)"] } ?? []
    let lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1", "Connection: close"]
    let head = (lines + headers + fields + end).map { "\($0)\r\n" }.joined() + "\r\n"
    let url = base + "/"
    return await OwnThread.run {
      guard let client = RawClient(url) else { return RawClient.Reply() }
      client.say([UInt8](head.utf8) + (body ?? []))
      return client.read(patience: patience)
    }
  }

  /// Sends a JSON text.
  ///
  /// - Parameters:
  ///   - target: Where to.
  ///   - json: The text.
  ///   - fields: Header lines besides its type.
  ///   - patience: How long to wait for the whole answer.
  /// - Returns: What came.
  public func post(
    _ target: String,
    json: String,
    _ fields: [String] = [],
    patience: Duration = .seconds(20)
  ) async -> RawClient.Reply {
    await ask(
      "POST",
      target,
      ["Content-Type: application/json"] + fields,
      body: Array(json.utf8),
      patience: patience
    )
  }
}
