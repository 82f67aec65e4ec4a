import Glibc

/// A socket that is bound and listens.
struct ListeningSocket {
  /// The descriptor, which is the receiver's.
  let descriptor: CInt
  /// The port that it listens on.
  let port: UInt16

  /// Binds a socket.
  ///
  /// - Parameters:
  ///   - address: A numeric IPv4 or IPv6 address.
  ///   - port: A port; 0 lets the system choose.
  /// - Throws: `address-unavailable`.
  init(address: String, port: UInt16) throws(ServiceError) {
    let isIPv6 = address.utf8.contains(UInt8(ascii: ":"))
    let family = isIPv6 ? AF_INET6 : AF_INET
    let flags = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(family, flags, 0)
    func failure() -> ServiceError {
      let reason = String(cString: strerror(errno))
      if descriptor >= 0 { close(descriptor) }
      return ServiceError(
        .addressUnavailable,
        "\(isIPv6 ? "[\(address)]" : address):\(port) cannot be listened on: \(reason)"
      )
    }
    guard descriptor >= 0 else { throw failure() }
    // A restart must not wait for connections of the process before it to be forgotten.
    var on: CInt = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<CInt>.size))
    guard Self.bind(descriptor, address, port, isIPv6: isIPv6) == 0, listen(descriptor, 1_024) == 0
    else { throw failure() }
    self.descriptor = descriptor
    self.port = Self.port(of: descriptor)
  }

  /// Whether only this machine can reach an address.
  static func isLoopback(_ address: String) -> Bool {
    var four = in_addr()
    if inet_pton(AF_INET, address, &four) == 1 {
      return UInt32(bigEndian: four.s_addr) >> 24 == 127
    }
    var six = in6_addr()
    guard inet_pton(AF_INET6, address, &six) == 1 else { return false }
    // Invariant: an in6_addr is 16 bytes, whatever its union is called.
    return withUnsafeBytes(of: six) { bytes in
      bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }
  }

  private static func bind(
    _ descriptor: CInt,
    _ address: String,
    _ port: UInt16,
    isIPv6: Bool
  ) -> CInt {
    // Invariant, for both families: the name is laid out to be read as a sockaddr of its size.
    if isIPv6 {
      var name = sockaddr_in6()
      name.sin6_family = sa_family_t(AF_INET6)
      name.sin6_port = port.bigEndian
      guard inet_pton(AF_INET6, address, &name.sin6_addr) == 1 else {
        errno = EADDRNOTAVAIL
        return -1
      }
      return withUnsafePointer(to: &name) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
        }
      }
    }
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    guard inet_pton(AF_INET, address, &name.sin_addr) == 1 else {
      errno = EADDRNOTAVAIL
      return -1
    }
    return withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  private static func port(of descriptor: CInt) -> UInt16 {
    var name = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    // Invariant: a sockaddr_in6 has room for either family, and both keep the port in one place.
    _ = withUnsafeMutablePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &size)
      }
    }
    return UInt16(bigEndian: name.sin6_port)
  }
}
