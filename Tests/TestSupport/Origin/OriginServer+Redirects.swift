extension OriginServer.Behavior {
  /// How a Location is written.
  public enum Spelling: Sendable, Hashable, CaseIterable {
    /// `http://host:port/path`.
    case absolute
    /// `/path`.
    case path
    /// `../path`, relative to the folder of the route.
    case relative
    /// `//host:port/path`.
    case protocolRelative

    /// Writes a URL that has scheme, host and path in this way.
    func location(of url: String) -> String {
      let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
      let path = parts.last ?? ""
      return switch self {
      case .absolute: url
      case .path: "/\(path)"
      case .relative: "../\(path)"
      case .protocolRelative: "//\(parts.dropFirst(2).joined(separator: "/"))"
      }
    }
  }

  /// Hops that all lead to one route.
  struct RedirectChain: Sendable {
    var hops: Int
    var status: Int
    var spelling: Spelling
    var name: String
  }

  /// A redirect to anywhere, such as `http://127.0.0.2/`, `file:///etc/passwd` or `ftp://host/`.
  ///
  /// - Parameters:
  ///   - location: The Location as it is sent; empty: an empty field; nothing: no field.
  ///   - status: 301, 302, 303, 307 or 308.
  ///   - body: A body, which nobody should take for the attachment.
  /// - Returns: The behavior.
  public static func redirect(
    to location: String?,
    status: Int = 302,
    body: [UInt8] = []
  ) -> Self {
    let fields = location.map { [OriginHeader("Location", $0)] } ?? []
    let answer = OriginAnswer(
      status: status,
      type: body.isEmpty ? nil : "text/html",
      headers: fields,
      body: body
    )
    return Self(.answer(answer), prefersRawSocket: true)
  }

  /// A redirect that announces a short body and never sends it.
  ///
  /// - Parameter location: The Location.
  /// - Returns: The behavior.
  public static func redirectWithoutItsBody(to location: String) -> Self {
    let answer = OriginAnswer(status: 302, headers: [OriginHeader("Location", location)])
    return Self(.send(answer.head(adding: "Content-Length: 100")), .stall)
  }

  /// A redirect that leads to itself.
  ///
  /// - Parameter status: 301, 302, 303, 307 or 308.
  /// - Returns: The behavior.
  public static func redirectLoop(status: Int = 302) -> Self {
    Self(.redirectLoop(status: status), prefersRawSocket: true)
  }

  /// So many redirects, and then another behavior.
  ///
  /// - Parameters:
  ///   - hops: How many redirects; at least one.
  ///   - destination: What the last one leads to.
  ///   - status: The status of each.
  ///   - spelling: How each Location is written.
  ///   - name: The end of each path as it stands in the Location, raw blanks and Unicode included.
  /// - Returns: The behavior.
  public static func redirects(
    _ hops: Int = 1,
    to destination: Self,
    status: Int = 302,
    spelling: Spelling = .absolute,
    named name: String = ""
  ) -> Self {
    let chain = RedirectChain(hops: hops, status: status, spelling: spelling, name: name)
    return Self(.redirectChain(chain, then: destination), prefersRawSocket: true)
  }
}
