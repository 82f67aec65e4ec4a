import CMicroHTTPD
import Glibc
import Synchronization

/// A server for orderly answers, over libmicrohttpd: what a client meets on a good day.
final class HTTPOrigin: Sendable {
  let port: UInt16
  private let events: HTTPOriginEvents
  // The daemon's address while it runs.
  private let daemon = Mutex<Int?>(nil)

  /// Starts to serve on a free port.
  init(
    address: String,
    certificate: OriginServer.Certificate?,
    routes: OriginRoutes
  ) throws(OriginError) {
    events = try HTTPOriginEvents(routes: routes, certificate: certificate)
    let socket = try LoopbackSocket.bound(to: address, backlog: 1_024)
    port = socket.port
    // Invariant: `stop` runs before `events` is released, so that the daemon's unretained
    // reference to it is good in every callback.
    let observer = Unmanaged.passUnretained(events).toOpaque()
    var flags = MHD_USE_EPOLL_INTERNAL_THREAD.rawValue
    if certificate != nil { flags |= MHD_USE_TLS.rawValue }
    var options = events.options
    options.append(
      MHD_OptionItem(
        option: .LISTEN_SOCKET,
        value: Int(socket.descriptor),
        ptr_value: nil
      )
    )
    options.append(MHD_OptionItem(option: .END, value: 0, ptr_value: nil))
    // Invariant: the options are read before the call returns; they end with MHD_OPTION_END.
    let started = options.withUnsafeMutableBufferPointer { buffer in
      let arguments: [any CVarArg] = [
        MHD_OPTION.ARRAY.rawValue, Int(bitPattern: buffer.baseAddress), MHD_OPTION.END.rawValue,
      ]
      return withVaList(arguments) { list in
        MHD_start_daemon_va(
          flags,
          0,
          nil,
          nil,
          HTTPOriginEvents.requestArrived,
          observer,
          list
        )
      }
    }
    guard let started else {
      close(socket.descriptor)
      throw OriginError(description: "libmicrohttpd does not start")
    }
    daemon.withLock { $0 = Int(bitPattern: started) }
  }

  /// Closes every connection and the port, and waits for the thread; a second call does nothing.
  func stop() {
    guard let address = daemon.withLock({ $0.take() }) else { return }
    MHD_stop_daemon(OpaquePointer(bitPattern: address))
  }

  deinit {
    stop()
  }
}
