import Glibc
import Measuring

/// A port of 127.0.0.1 whose queue of connections is full: a further request gets no answer.
///
/// The kernel drops the request as an overloaded or filtered host would.
final class SilentPort {
  let port: Int
  private var descriptors: [CInt] = []

  /// Opens the port and fills its queue; stops the process where that cannot be done.
  init() throws {
    let listener = Self.makeSocket()
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isListening = Self.with(&address) {
      bind(listener, $0, $1) == 0 && listen(listener, 0) == 0
    }
    guard isListening else { stop("no port can be opened") }
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // Invariant: the pointer is to a sockaddr_in, as long as `size` says, and lives for the call.
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = getsockname(listener, $0, &size)
      }
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    descriptors = [listener]
    // A backlog of 0 holds one connection; the others wait for ever.
    for _ in 0..<4 {
      let client = Self.makeSocket()
      _ = Self.with(&address) { connect(client, $0, $1) }
      descriptors.append(client)
    }
    usleep(50_000)
  }

  deinit {
    for descriptor in descriptors { close(descriptor) }
  }

  private static func makeSocket() -> CInt {
    let flags = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    return socket(AF_INET, CInt(flags), 0)
  }

  private static func with<Result>(
    _ address: inout sockaddr_in,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    // Invariant: the pointer is to a sockaddr_in of the length that is passed with it, and lives
    // for the call.
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
