import Glibc

/// Tells systemd how the service stands (sd_notify(3)): a datagram to the socket that it names.
struct ServiceNotification: Sendable {
  private let path: String?

  /// Looks up the socket; where there is none, nothing is told.
  init(_ environment: Environment) {
    path = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Sends a line such as `READY=1`; whether anybody reads it does not matter here.
  func send(_ state: String) {
    guard let path else { return }
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(path.utf8)
    // A name in the abstract namespace is written with an @ for its first byte, which is 0.
    if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
    guard bytes.count < MemoryLayout.size(ofValue: name.sun_path) else { return }
    // Invariant: the bytes fit into the path, which is zeros otherwise.
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
    let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
    let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let text = Array(state.utf8)
    // Invariant: a sockaddr_un is laid out to be read as a sockaddr of the given size.
    _ = withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, text, text.count, CInt(MSG_NOSIGNAL), $0, size)
      }
    }
  }
}
