import Glibc

/// TCP sockets of the loopback network, which is the only one that tests may touch.
enum LoopbackSocket {
  /// Binds a port, and listens.
  ///
  /// - Parameters:
  ///   - address: An address of 127.0.0.0/8, or ::1.
  ///   - port: Which one; 0 for one that is free at the moment.
  ///   - backlog: How many connections may wait to be accepted; nothing: the port is taken but
  ///     refuses connections.
  /// - Returns: The descriptor, non-blocking and closed on exec, and the port.
  /// - Throws: Where the address is no loopback address, or there is no port.
  static func bound(
    to address: String,
    port: UInt16 = 0,
    backlog: CInt?
  ) throws(OriginError) -> (descriptor: CInt, port: UInt16) {
    let name = try SocketName(address, port: port)
    let descriptor = try opened(SOCK_STREAM, name)
    guard name.with({ bind(descriptor, $0, $1) }) == 0,
      backlog.map({ listen(descriptor, $0) == 0 }) ?? true
    else {
      let reason = errno
      close(descriptor)
      throw OriginError(description: "cannot listen on \(address): errno \(reason)")
    }
    return (descriptor, SocketName.port(of: descriptor))
  }

  /// Binds a port that datagrams are sent to.
  ///
  /// - Parameters:
  ///   - address: An address of 127.0.0.0/8, or ::1.
  ///   - port: Which one.
  /// - Returns: The descriptor, non-blocking and closed on exec.
  /// - Throws: Where the address is no loopback address, or the port is not to be had.
  static func forDatagrams(to address: String, port: UInt16) throws(OriginError) -> CInt {
    let name = try SocketName(address, port: port)
    let descriptor = try opened(SOCK_DGRAM, name)
    guard name.with({ bind(descriptor, $0, $1) }) == 0 else {
      let reason = errno
      close(descriptor)
      throw OriginError(description: "no port \(port) on \(address): errno \(reason)")
    }
    return descriptor
  }

  /// Begins to connect, and does not wait for the other side.
  static func connecting(to address: String, port: UInt16) throws(OriginError) -> CInt {
    let name = try SocketName(address, port: port)
    let descriptor = try opened(SOCK_STREAM, name)
    _ = name.with { connect(descriptor, $0, $1) }
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

  private static func opened(
    _ kind: __socket_type,
    _ name: SocketName
  ) throws(OriginError) -> CInt {
    let kind = kind.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let descriptor = socket(name.family, CInt(kind), 0)
    guard descriptor >= 0 else { throw OriginError(description: "no socket: errno \(errno)") }
    return descriptor
  }
}

/// A loopback address and a port, as the system takes them.
private struct SocketName {
  let family: CInt
  private let bytes: [UInt8]

  init(_ address: String, port: UInt16) throws(OriginError) {
    var four = sockaddr_in()
    var six = sockaddr_in6()
    // Invariant: both structures are plain bytes, and are only copied from.
    if address.hasPrefix("127."), inet_pton(AF_INET, address, &four.sin_addr) == 1 {
      family = AF_INET
      four.sin_family = sa_family_t(AF_INET)
      four.sin_port = port.bigEndian
      bytes = withUnsafeBytes(of: &four) { Array($0) }
    } else if address == "::1", inet_pton(AF_INET6, address, &six.sin6_addr) == 1 {
      family = AF_INET6
      six.sin6_family = sa_family_t(AF_INET6)
      six.sin6_port = port.bigEndian
      bytes = withUnsafeBytes(of: &six) { Array($0) }
    } else {
      throw OriginError(description: "\(address) is no loopback address")
    }
  }

  func with(_ call: (UnsafePointer<sockaddr>?, socklen_t) -> CInt) -> CInt {
    bytes.withUnsafeBytes { raw in
      // Invariant: these are the bytes of a socket address, read as one within their own length.
      call(raw.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(raw.count))
    }
  }

  /// The port that a socket is bound to.
  static func port(of descriptor: CInt) -> UInt16 {
    var name = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    // Invariant: the longer of the two structures has room for either, and the port is at the same
    // place in both.
    return withUnsafeMutablePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        _ = getsockname(descriptor, generic, &length)
      }
      return UInt16(bigEndian: pointer.pointee.sin6_port)
    }
  }
}
