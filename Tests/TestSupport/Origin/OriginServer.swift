import Glibc
import TimeBudgets

/// A hostile HTTP origin on the loopback network, for tests of whatever downloads.
///
/// Orderly answers are served by libmicrohttpd, at one port; whatever no HTTP server would do is
/// done on a raw socket, at another. Both know all routes, so a relative redirect always finds its
/// target. Up to 800 connections at once each; none lives longer than 30 s.
///
/// ```swift
/// let origin = try OriginServer()
/// defer { origin.stop() }
/// let url = origin.url(.dripping(bytesPerSecond: 10, of: body), named: "a.jpg?x=1")
/// ```
public final class OriginServer: Sendable {
  /// The address that is listened on.
  public let address: String
  /// The port of orderly answers, and of everything where there is TLS.
  public let port: UInt16
  /// What is shown in the TLS handshake; nothing for plain HTTP.
  public let certificate: Certificate?
  private let routes = OriginRoutes()
  private let http: HTTPOrigin
  private let raw: RawOrigin?

  /// Starts to serve.
  ///
  /// - Parameters:
  ///   - address: An address of 127.0.0.0/8.
  ///   - certificate: The certificate to serve HTTPS with; only orderly answers and redirects then.
  /// - Throws: Where the address is not ours, or there is no port.
  public init(
    address: String = "127.0.0.1",
    tls certificate: Certificate? = nil
  ) throws(OriginError) {
    self.address = address
    self.certificate = certificate
    http = try HTTPOrigin(address: address, certificate: certificate, routes: routes)
    port = http.port
    raw = certificate == nil ? try RawOrigin(address: address, routes: routes) : nil
  }

  deinit {
    stop()
  }

  /// Closes all connections and ports and waits for the threads; a second call does nothing.
  public func stop() {
    raw?.stop()
    http.stop()
  }

  /// Makes a route with a path that cannot be guessed.
  ///
  /// - Parameters:
  ///   - behavior: What it does.
  ///   - name: The end of its path, with query if wanted, as in `a.jpg?x=1`; used as it is.
  ///   - host: What to call the origin in the URL; its address, where this is left out.
  /// - Returns: The route's URL.
  public func url(_ behavior: Behavior, named name: String = "", host: String? = nil) -> String {
    let behavior = settled(behavior)
    precondition(raw != nil || !behavior.needsRawSocket, "an origin with TLS only answers in order")
    return base(for: behavior, host: host) + "/\(routes.register(behavior))/\(name)"
  }

  /// Everything that was asked, in the order of arrival.
  public var requests: [OriginRequest] {
    routes.requests
  }

  /// What was asked of one route, in the order of arrival.
  public func requests(to url: String) -> [OriginRequest] {
    requests.filter { url.contains("/\($0.token)/") }
  }

  /// How many connections were ever accepted.
  public var acceptedConnections: Int {
    routes.connections.accepted
  }

  /// How many connections are open.
  public var openConnections: Int {
    routes.connections.open
  }

  /// Waits until so many requests have arrived in all.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - allowance: How long to wait at most.
  /// - Returns: Whether they arrived in time.
  public func received(_ count: Int, within allowance: Duration = .seconds(20)) async -> Bool {
    await holds(within: allowance) { $0.requests.count >= count }
  }

  /// Waits until every client has left.
  ///
  /// - Parameter allowance: How long to wait at most.
  /// - Returns: Whether they left in time.
  public func becameIdle(within allowance: Duration = .seconds(20)) async -> Bool {
    await holds(within: allowance) { $0.openConnections == 0 }
  }

  /// The authority that signed the good certificate: a PEM file to be trusted.
  public var certificateAuthorityPath: String {
    "\(Certificate.folder)/authority.pem"
  }

  /// A port of 127.0.0.1 that refuses connections: taken, so that nobody else can listen there.
  public static func refusedPort() throws(OriginError) -> UInt16 {
    try refusal.get()
  }

  private static let refusal = Result { () throws(OriginError) in
    try LoopbackSocket.bound(to: "127.0.0.1", backlog: nil).port
  }

  private func holds(
    within allowance: Duration,
    _ condition: (OriginServer) -> Bool
  ) async -> Bool {
    let budget = TimeBudget(allowance)
    while !condition(self) {
      guard !budget.isSpent, (try? await Task.sleep(for: .milliseconds(2))) != nil else {
        return false
      }
    }
    return true
  }

  private func base(for behavior: Behavior, host: String?) -> String {
    let host = host ?? address
    if let raw, behavior.needsRawSocket || behavior.prefersRawSocket {
      return "http://\(host):\(raw.port)"
    }
    return "\(certificate == nil ? "http" : "https")://\(host):\(port)"
  }

  /// Makes a route of each hop of a chain, the last one first.
  private func settled(_ behavior: Behavior) -> Behavior {
    switch behavior.conduct {
    case .redirectChain(let chain, let destination):
      var next = url(destination, named: chain.name)
      var hop = Behavior.redirect(to: chain.spelling.location(of: next), status: chain.status)
      for _ in 1..<max(1, chain.hops) {
        next = url(hop, named: chain.name)
        hop = .redirect(to: chain.spelling.location(of: next), status: chain.status)
      }
      return hop
    case .failing(let times, let first, let then):
      return Behavior(
        .failing(times: times, first: settled(first), then: settled(then)),
        prefersRawSocket: true
      )
    case .answer, .representation, .steps, .redirectLoop:
      return behavior
    }
  }
}
