import Glibc

/// A port at which the connection is made, by the kernel, and then nothing ever happens.
///
/// Also what a TLS handshake that never ends looks like.
public final class QuietPort: Sendable {
  /// Where it is, on 127.0.0.1.
  public let port: UInt16
  private let descriptors: [CInt]

  /// Takes a port.
  ///
  /// - Parameter unreachable: Whether connecting never succeeds either: the queue of connections
  ///   is filled at once, and Linux drops the first packet of every further one.
  /// - Throws: Where no port can be taken.
  public init(unreachable: Bool = false) throws(OriginError) {
    let listener = try LoopbackSocket.bound(to: "127.0.0.1", backlog: unreachable ? 0 : 128)
    port = listener.port
    var descriptors = [listener.descriptor]
    // A backlog of n admits n + 1; the rest are spares that fill what rounding leaves.
    for _ in 0..<(unreachable ? 4 : 0) {
      descriptors.append(try LoopbackSocket.connecting(to: "127.0.0.1", port: port))
    }
    self.descriptors = descriptors
  }

  /// The address, as text.
  ///
  /// - Parameter scheme: `http` or `https`.
  /// - Returns: A URL at this port.
  public func url(scheme: String = "http") -> String {
    "\(scheme)://127.0.0.1:\(port)/quiet"
  }

  deinit {
    for descriptor in descriptors { close(descriptor) }
  }
}
