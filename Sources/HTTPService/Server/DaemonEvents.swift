import CMicroHTTPD
import Glibc
import Synchronization
import TimeBudgets

/// What libmicrohttpd reports, and what it is answered: all C callbacks are here.
final class DaemonEvents: Sendable {
  let watch: ConnectionWatch
  private let receive: @Sendable (RequestHead) -> Reception
  /// From a connection's beginning to its first request line, and from there to the head's end.
  private let patience: Duration
  // Exchanges by number, so that a stopping server finds those whose connection sleeps.
  private let exchanges = Mutex(Exchanges())
  private let isEncrypted: Bool
  // The addresses of NUL-terminated copies, which libmicrohttpd reads as long as it runs.
  private let key: Int?
  private let chain: Int?

  // What is answered while the server stops, from the moment on that it does.
  private let parting = Mutex<HTTPAnswer?>(nil)

  private struct Open {
    let exchange: Exchange
    let connection: Int
  }

  private struct Exchanges {
    var last: UInt64 = 0
    var open: [UInt64: Open] = [:]
  }

  /// From an answer to the next request line.
  private static let idle: Duration = .seconds(60)
  /// From an answer's first byte to its last.
  private static let answer: Duration = .seconds(900)
  /// Seconds without any byte after which libmicrohttpd closes a line.
  static let timeout: CUnsignedInt = 60
  /// From a refusal to the moment when the line of who still sends is cut.
  private static let parting: Duration = .seconds(5)

  init(
    watch: ConnectionWatch,
    patience: Duration,
    receive: @escaping @Sendable (RequestHead) -> Reception,
    certificate: (chain: String, key: String)?
  ) {
    self.watch = watch
    self.patience = patience
    self.receive = receive
    isEncrypted = certificate != nil
    // Invariant: both copies are freed in `deinit` only, after the daemon has stopped.
    key = certificate.map { Int(bitPattern: strdup($0.key)) }
    chain = certificate.map { Int(bitPattern: strdup($0.chain)) }
  }

  deinit {
    // Invariant: these are the addresses that `strdup` gave in `init`.
    for address in [key, chain].compactMap({ $0 }) {
      free(UnsafeMutableRawPointer(bitPattern: address))
    }
  }

  /// The options by which libmicrohttpd knows this object.
  var options: [MHD_OptionItem] {
    // Invariant: who starts a daemon with these options keeps this object until it has stopped.
    let observer = Unmanaged.passUnretained(self).toOpaque()
    func option(_ option: MHD_OPTION, _ value: Int) -> MHD_OptionItem {
      MHD_OptionItem(option: option, value: value, ptr_value: observer)
    }
    var options = [
      // Invariant: as its value, each of these options wants the address of a C function whose type
      // is the one that the function is declared with below.
      option(.NOTIFY_CONNECTION, unsafeBitCast(Self.connectionChanged, to: Int.self)),
      option(.URI_LOG_CALLBACK, unsafeBitCast(Self.requestBegan, to: Int.self)),
      option(.NOTIFY_COMPLETED, unsafeBitCast(Self.requestEnded, to: Int.self)),
    ]
    for (option, address) in [(MHD_OPTION.HTTPS_MEM_KEY, key), (MHD_OPTION.HTTPS_MEM_CERT, chain)] {
      guard let address else { continue }
      // Invariant: the address of a NUL-terminated copy that lives as long as this object.
      let text = UnsafeMutableRawPointer(bitPattern: address)
      options.append(MHD_OptionItem(option: option, value: 0, ptr_value: text))
    }
    return options
  }

  /// Those whose request is there, whole.
  var promisedAnswers: Int {
    exchanges.withLock { $0.open.values }.count { !$0.exchange.isArriving }
  }

  /// Wakes every connection that sleeps, or is about to, with this answer where none was begun.
  func abandon(_ answer: HTTPAnswer) {
    parting.withLock { $0 = answer }
    for open in exchanges.withLock({ Array($0.open.values) }) {
      open.exchange.abandon(answer) { wake(open.exchange, open.connection) }
    }
  }

  private static let connectionChanged: MHD_NotifyConnectionCallback = {
    observer,
    connection,
    _,
    code in
    guard let events = DaemonEvents.known(by: observer), let connection else { return }
    let identity = Int(bitPattern: connection)
    if code == .CONNECTION_NOTIFY_STARTED {
      events.watch.opened(
        identity,
        descriptor: affix_mhd_descriptor(connection),
        deadline: Stopwatch.system.now + events.patience
      )
    } else {
      events.watch.closed(identity)
    }
  }

  // libmicrohttpd decodes the path and takes the query off; only here it is as the client sent it.
  private static let requestBegan:
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
    ) -> UnsafeMutableRawPointer? = { observer, target, connection in
      guard let events = DaemonEvents.known(by: observer), let connection else { return nil }
      let identity = Int(bitPattern: connection)
      // Invariant: the target is NUL-terminated; the retain is given back in `requestEnded`,
      // which is called once for each request that began.
      let text = target.map { String(cString: $0) } ?? ""
      let exchange = events.exchanges.withLock { exchanges in
        exchanges.last += 1
        let exchange = Exchange(number: exchanges.last, targetText: text)
        exchanges.open[exchange.number] = Open(exchange: exchange, connection: identity)
        return exchange
      }
      events.watch.setDeadline(Stopwatch.system.now + events.patience, of: identity)
      return Unmanaged.passRetained(exchange).toOpaque()
    }

  private static let requestEnded: MHD_RequestCompletedCallback = {
    observer,
    connection,
    slot,
    code in
    guard let slot, let pointer = slot.pointee else { return }
    // Invariant: the slot holds what `requestBegan` retained, until it is emptied here.
    let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
    slot.pointee = nil
    exchange.end(isComplete: code == .REQUEST_TERMINATED_COMPLETED_OK)
    guard let events = DaemonEvents.known(by: observer) else { return }
    events.exchanges.withLock { _ = $0.open.removeValue(forKey: exchange.number) }
    events.watch.setDeadline(Stopwatch.system.now + idle, of: Int(bitPattern: connection))
  }

  /// Called once with the head, then with each part of the body, then without one; and again once
  /// a sleeping connection was woken.
  static let requestArrived: MHD_AccessHandlerCallback = {
    observer,
    connection,
    _,
    method,
    version,
    data,
    size,
    slot in
    guard let events = DaemonEvents.known(by: observer), let connection, let size,
      let pointer = slot?.pointee
    else { return .NO }
    // Invariant: the slot holds what `requestBegan` retained.
    let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
    if exchange.isNew {
      // Invariant: method and version are NUL-terminated.
      let words = [method, version].map { $0.map { String(cString: $0) } ?? "" }
      return events.begin(exchange, connection, method: words[0], version: words[1])
    }
    if size.pointee > 0 {
      // Invariant: libmicrohttpd's buffer, of this size, is valid for this call.
      let bytes = UnsafeRawBufferPointer(start: data, count: size.pointee)
      size.pointee = 0
      guard exchange.body?.append(bytes) == false else { return .YES }
      return exchange.refusal.map { events.refuse(exchange, connection, $0) } ?? .NO
    }
    return events.answer(exchange, connection)
  }

  private func begin(
    _ exchange: Exchange,
    _ connection: OpaquePointer,
    method: String,
    version: String
  ) -> MHD_Result {
    let head = RequestHead(
      methodName: method,
      targetText: exchange.targetText,
      fields: ConnectionFacts.fields(of: connection),
      clientAddress: ConnectionFacts.clientAddress(of: connection),
      arrival: exchange.arrival
    )
    let reception = receive(head)
    exchange.begin(reception, version: version)
    watch.setDeadline(reception.deadline, of: Int(bitPattern: connection))
    // A body that nobody wants is read, and its sender answered then, unless it is long or has no
    // clear end: an answer before the body costs the connection.
    if case .settled(let answer) = reception.response,
      !head.isSoundlyFramed || (head.contentLength ?? 0) > 1 << 20
    {
      // Who asks before sending has not begun, and who is asked for nothing more will not.
      return head["expect"] == nil && !isEncrypted
        ? refuse(exchange, connection, answer) : queue(answer, of: exchange, on: connection)
    }
    return .YES
  }

  /// Answers somebody who is still sending, and reads on for a while.
  ///
  /// libmicrohttpd takes an answer before a body or after it, and having sent the one before it
  /// closes the line; what arrives then is answered with a reset, which can take the answer away
  /// from its reader. So the answer is written past it, and what comes is dropped until the client
  /// goes, or its time is over. An encrypted line cannot be written to here, and is cut.
  private func refuse(
    _ exchange: Exchange,
    _ connection: OpaquePointer,
    _ answer: HTTPAnswer
  ) -> MHD_Result {
    guard !isEncrypted, let bytes = QueuedResponse.lastBytes(of: answer) else { return .NO }
    let descriptor = affix_mhd_descriptor(connection)
    exchange.refused(answer)
    let flags = CInt(MSG_DONTWAIT | MSG_NOSIGNAL)
    guard send(descriptor, bytes, bytes.count, flags) == bytes.count else { return .NO }
    shutdown(descriptor, CInt(SHUT_WR))
    watch.setDeadline(Stopwatch.system.now + Self.parting, of: Int(bitPattern: connection))
    return .YES
  }

  private func answer(_ exchange: Exchange, _ connection: OpaquePointer) -> MHD_Result {
    // The rest of it has come after all: there is nothing to add.
    guard !exchange.isRefused else { return .NO }
    let identity = Int(bitPattern: connection)
    let silence = silence(of: exchange, .beforeAnswer)
    let answer = exchange.answer(
      sleep: {
        watch.setDeadline(nil, of: identity)
        watch.sleeps(exchange, on: identity, silence)
        // A connection that wakes is read from before its answer is asked for, and closed where the
        // client sends no more. Those with a time-out of their own are asked first.
        affix_mhd_set_timeout(connection, Self.timeout + 1)
        MHD_suspend_connection(connection)
      },
      wake: { [self] in wake(exchange, identity) }
    )
    guard let answer else {
      wakeIfParting(exchange, identity)
      return .YES
    }
    return queue(answer, of: exchange, on: connection)
  }

  /// A connection that fell asleep just when the server began to stop was overlooked.
  private func wakeIfParting(_ exchange: Exchange, _ connection: Int) {
    guard let answer = parting.withLock({ $0 }) else { return }
    exchange.abandon(answer) { wake(exchange, connection) }
  }

  private func queue(
    _ answer: HTTPAnswer,
    of exchange: Exchange,
    on connection: OpaquePointer
  ) -> MHD_Result {
    let identity = Int(bitPattern: connection)
    affix_mhd_set_timeout(connection, Self.timeout)
    var limit: Duration? = Stopwatch.system.now + Self.answer
    // A stream lasts as long as its checks; a client that takes nothing meets libmicrohttpd's
    // own time-out.
    if case .stream = answer.body { limit = nil }
    watch.setDeadline(limit, of: identity)
    exchange.answered(answer)
    let silence = silence(of: exchange, .betweenChunks)
    let sleep = StreamSleep(
      begin: { [self] in
        watch.sleeps(exchange, on: identity, silence)
        // Invariant: this is called on the connection's own thread, in its own callback.
        MHD_suspend_connection(OpaquePointer(bitPattern: identity))
      },
      begun: { [self] in wakeIfParting(exchange, identity) },
      end: { [self] in wake(exchange, identity) }
    )
    return QueuedResponse.queue(answer, on: connection, sleep)
  }

  /// Interim answers and chunks are of HTTP/1.1, and nothing can be slipped into an encrypted line.
  private func silence(
    of exchange: Exchange,
    _ usual: ConnectionWatch.Silence
  ) -> ConnectionWatch.Silence {
    exchange.version == "HTTP/1.1" && !isEncrypted ? usual : .isGone
  }

  private func wake(_ exchange: Exchange, _ connection: Int) {
    watch.wakes(exchange)
    MHD_resume_connection(OpaquePointer(bitPattern: connection))
  }

  private static func known(by observer: UnsafeMutableRawPointer?) -> DaemonEvents? {
    // Invariant: the pointer is the object that outlives the daemon, see `options`.
    observer.map { Unmanaged<DaemonEvents>.fromOpaque($0).takeUnretainedValue() }
  }
}
