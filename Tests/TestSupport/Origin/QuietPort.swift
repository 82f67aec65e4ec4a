import Glibc

/// A port at which the connection is made, by the kernel, and then nothing ever happens.
///
/// Also what a TLS handshake that never ends looks like.
public final class QuietPort: Sendable {
  /// Where it is.
  public let port: UInt16
  private let address: String
  private let descriptors: [CInt]

  /// Takes a port.
  ///
  /// - Parameters:
  ///   - address: An address of 127.0.0.0/8, or ::1.
  ///   - port: Which one; 0 for one that is free.
  ///   - unreachable: Whether connecting never succeeds either: the queue of connections is filled
  ///     at once, and Linux drops the first packet of every further one.
  /// - Throws: Where no port can be taken.
  public init(
    at address: String = "127.0.0.1",
    port: UInt16 = 0,
    unreachable: Bool = false
  ) throws(OriginError) {
    let backlog: CInt = unreachable ? 0 : 128
    let listener = try LoopbackSocket.bound(to: address, port: port, backlog: backlog)
    self.address = address
    self.port = listener.port
    var descriptors = [listener.descriptor]
    // A backlog of n admits n + 1; the rest are spares that fill what rounding leaves.
    for _ in 0..<(unreachable ? 4 : 0) {
      descriptors.append(try LoopbackSocket.connecting(to: address, port: listener.port))
    }
    self.descriptors = descriptors
  }

  /// The address, as text.
  ///
  /// - Parameter scheme: `http` or `https`.
  /// - Returns: A URL at this port.
  public func url(scheme: String = "http") -> String {
    "\(scheme)://\(address):\(port)/quiet"
  }

  /// Whether anybody connected since this was last asked; of no use where it is unreachable.
  public var wasReached: Bool {
    let connection = accept(descriptors[0], nil, nil)
    guard connection >= 0 else { return false }
    close(connection)
    return true
  }

  deinit {
    for descriptor in descriptors { close(descriptor) }
  }
}
