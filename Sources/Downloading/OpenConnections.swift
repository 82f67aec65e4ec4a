import Glibc

/// The sockets of one loop's connections, by their ends.
///
/// libcurl 7.88 takes up a kept connection without a look at what has arrived on it meanwhile. What
/// an origin sends beyond its answer would be taken as the answer to the next request, which may
/// well be for somebody else's file. Later versions use no such connection again, nor does this one.
///
/// Belongs to one loop's thread.
final class OpenConnections {
  /// What tells one connection from all others that are open.
  struct Ends: Hashable {
    let localPort: CInt
    let remoteAddress: String
    let remotePort: CInt
  }

  private var sockets: [Ends: CInt] = [:]
  private var ends: [CInt: Ends] = [:]

  /// Takes note of a new connection.
  ///
  /// - Parameters:
  ///   - ends: What it connects.
  ///   - opened: The sockets one of which is its own: those of other addresses may have been tried.
  /// - Returns: Whether one of them is.
  func add(_ ends: Ends, amongst opened: [CInt]) -> Bool {
    guard let socket = opened.first(where: { Self.localPort(of: $0) == ends.localPort }) else {
      return false
    }
    sockets[ends] = socket
    self.ends[socket] = ends
    return true
  }

  /// Whether nothing has arrived on a connection, and nobody has closed it.
  func isQuiet(_ ends: Ends) -> Bool {
    guard let socket = sockets[ends] else { return true }
    var byte: UInt8 = 0
    // Invariant: at most the one byte there is room for is written.
    return recv(socket, &byte, 1, CInt(MSG_PEEK | MSG_DONTWAIT)) < 0
      && errno == EAGAIN
  }

  /// Closes a socket.
  func close(_ socket: CInt) {
    if let ends = ends.removeValue(forKey: socket) { sockets[ends] = nil }
    Glibc.close(socket)
  }

  /// The port of a socket's own end, be it of IPv4 or IPv6, which have it in one place.
  private static func localPort(of socket: CInt) -> CInt? {
    var address = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    // Invariant: no more is written than `size` says there is room for.
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
    }
    return result == 0 ? CInt(UInt16(bigEndian: address.sin6_port)) : nil
  }
}
