import Glibc

/// TCP sockets of the loopback network, which is the only one that tests may touch.
enum LoopbackSocket {
  /// Binds a port that is free at the moment.
  ///
  /// - Parameters:
  ///   - address: An address of 127.0.0.0/8.
  ///   - backlog: How many connections may wait to be accepted; nothing: the port is taken but
  ///     refuses connections.
  /// - Returns: The descriptor, non-blocking and closed on exec, and the port.
  /// - Throws: Where the address is no loopback address, or there is no port.
  static func bound(
    to address: String,
    backlog: CInt?
  ) throws(OriginError) -> (descriptor: CInt, port: UInt16) {
    let descriptor = try tcp()
    var name = try socketAddress(address, port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    // Invariant: a sockaddr_in is laid out to be read and written as a sockaddr, within `length`.
    let failed = withUnsafeMutablePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(descriptor, generic, length) != 0
          || backlog.map { listen(descriptor, $0) != 0 } ?? false
          || getsockname(descriptor, generic, &length) != 0
      }
    }
    guard !failed else {
      let reason = errno
      close(descriptor)
      throw OriginError(description: "cannot listen on \(address): errno \(reason)")
    }
    return (descriptor, UInt16(bigEndian: name.sin_port))
  }

  /// Begins to connect, and does not wait for the other side.
  static func connecting(to address: String, port: UInt16) throws(OriginError) -> CInt {
    let descriptor = try tcp()
    var name = try socketAddress(address, port: port)
    // Invariant: a sockaddr_in is laid out to be read as a sockaddr of the same size.
    _ = withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        connect(descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    return descriptor
  }

  /// Makes a descriptor non-blocking, and hides it from children.
  static func keepToOurselves(_ descriptor: CInt) {
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  /// Makes `close` send a reset in place of an orderly end.
  static func armReset(_ descriptor: CInt) {
    var rule = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &rule, socklen_t(MemoryLayout<linger>.size))
  }

  /// Makes each write leave at once, so that a drip is seen as a drip.
  static func sendAtOnce(_ descriptor: CInt) {
    var one: CInt = 1
    setsockopt(
      descriptor,
      CInt(IPPROTO_TCP),
      TCP_NODELAY,
      &one,
      socklen_t(MemoryLayout<CInt>.size)
    )
  }

  private static func tcp() throws(OriginError) -> CInt {
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let descriptor = socket(AF_INET, CInt(kind), 0)
    guard descriptor >= 0 else { throw OriginError(description: "no socket: errno \(errno)") }
    return descriptor
  }

  private static func socketAddress(
    _ address: String,
    port: UInt16
  ) throws(OriginError) -> sockaddr_in {
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    guard address.hasPrefix("127."), inet_pton(AF_INET, address, &name.sin_addr) == 1 else {
      throw OriginError(description: "\(address) is no loopback address")
    }
    return name
  }
}
