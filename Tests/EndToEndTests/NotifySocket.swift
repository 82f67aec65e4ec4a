import Glibc
import TestSupport

/// What systemd listens on for a service's word (sd_notify(3)): a datagram socket with a name.
final class NotifySocket: Sendable {
  /// Why there is none.
  struct NoSocket: Error, CustomStringConvertible {
    let description: String
  }

  private let descriptor: CInt

  /// Makes the socket.
  ///
  /// - Throws: Where the name is too long or taken.
  init(at path: String) throws {
    descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard descriptor >= 0, bytes.count < MemoryLayout.size(ofValue: name.sun_path) else {
      throw NoSocket(description: "no socket at \(path): errno \(errno)")
    }
    // Invariant: the bytes fit into the path, which is zeros otherwise.
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
    // Invariant: a sockaddr_un is laid out to be read as a sockaddr of its size.
    let outcome = withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard outcome == 0 else {
      throw NoSocket(description: "no socket at \(path): errno \(errno)")
    }
  }

  deinit {
    close(descriptor)
  }

  /// The next datagram, as text; nothing where none comes within seconds.
  func next() async -> String? {
    await OwnThread.run { [self] in
      var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&state, 1, 10_000) > 0 else { return nil }
      var bytes = [UInt8](repeating: 0, count: 256)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
  }
}
