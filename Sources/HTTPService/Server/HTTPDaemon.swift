import CMicroHTTPD
import Glibc
import Synchronization
import TimeBudgets

/// An HTTP/1.1 server over libmicrohttpd: takes requests in, and has a closure decide about each.
final class HTTPDaemon: Sendable {
  /// How to serve.
  struct Settings: Sendable {
    var address = "127.0.0.1"
    var port: UInt16 = 0
    /// PEM texts; nothing for plain HTTP.
    var certificate: (chain: String, key: String)?
    /// Connections at once.
    var connections = 1_024
    /// How long a request line may take to arrive, and then the rest of the head.
    var headPatience: Duration = .seconds(10)
    /// Threads that drive connections.
    var threads = 2
  }

  /// The port that is listened on.
  let port: UInt16
  private let events: DaemonEvents
  // The daemon's address while it runs.
  private let daemon = Mutex<Int?>(nil)

  /// Starts to serve.
  ///
  /// - Parameters:
  ///   - settings: How.
  ///   - receive: Decides about a request whose head has arrived; must not block.
  /// - Throws: `address-unavailable`, `invalid-certificate`, `system-limit`.
  init(
    _ settings: Settings,
    receive: @escaping @Sendable (RequestHead) -> Reception
  ) throws(ServiceError) {
    let socket = try ListeningSocket(address: settings.address, port: settings.port)
    port = socket.port
    guard let watch = ConnectionWatch() else {
      close(socket.descriptor)
      throw ServiceError(.systemLimit, "the system has no thread or descriptor left")
    }
    events = DaemonEvents(
      watch: watch,
      patience: settings.headPatience,
      receive: receive,
      certificate: settings.certificate
    )
    var flags = MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
    if settings.certificate != nil { flags |= MHD_USE_TLS.rawValue }
    // Invariant: `stop` runs before `events` is released, so that the daemon's unretained
    // reference to it is good in every callback.
    let observer = Unmanaged.passUnretained(events).toOpaque()
    var options = events.options
    func add(_ option: MHD_OPTION, _ value: Int) {
      options.append(MHD_OptionItem(option: option, value: value, ptr_value: nil))
    }
    add(.LISTEN_SOCKET, Int(socket.descriptor))
    add(.THREAD_POOL_SIZE, settings.threads)
    add(.CONNECTION_LIMIT, settings.connections)
    // Seconds without any byte; our own deadlines are what matters for those that drip.
    add(.CONNECTION_TIMEOUT, Int(DaemonEvents.timeout))
    add(.CONNECTION_MEMORY_LIMIT, 32 << 10)
    // Whatever proxies could read in two ways is refused.
    add(.STRICT_FOR_CLIENT, 1)
    add(.END, 0)
    let started = options.withUnsafeMutableBufferPointer { buffer in
      // Invariant: the options are read before the call returns; they end with MHD_OPTION_END.
      let arguments: [any CVarArg] = [
        MHD_OPTION.ARRAY.rawValue, Int(bitPattern: buffer.baseAddress), MHD_OPTION.END.rawValue,
      ]
      return withVaList(arguments) { list in
        MHD_start_daemon_va(flags, 0, nil, nil, DaemonEvents.requestArrived, observer, list)
      }
    }
    guard let started else {
      watch.stop()
      close(socket.descriptor)
      throw settings.certificate == nil
        ? ServiceError(.systemLimit, "libmicrohttpd does not start: no thread or memory is left")
        : ServiceError(
          .invalidCertificate,
          "libmicrohttpd does not start: certificate and key are not a pair of PEM texts"
        )
    }
    daemon.withLock { $0 = Int(bitPattern: started) }
  }

  /// How many connections are open.
  var openConnections: Int {
    events.watch.openConnections
  }

  /// How many requests have arrived whole, and are not answered yet.
  var promisedAnswers: Int {
    events.promisedAnswers
  }

  /// Accepts no more connections, closes every one and waits for the threads; a second call does
  /// nothing.
  ///
  /// Requests that are not answered yet get this answer; libmicrohttpd must not be stopped while a
  /// connection sleeps.
  func stop(answering answer: HTTPAnswer) {
    guard let address = daemon.withLock({ $0.take() }),
      let daemon = OpaquePointer(bitPattern: address)
    else { return }
    let socket = MHD_quiesce_daemon(daemon)
    events.abandon(answer)
    MHD_stop_daemon(daemon)
    // Not earlier: the daemon's threads take it off their lists, and end the process where it is
    // not there.
    if socket >= 0 { close(socket) }
    events.watch.stop()
  }
}
