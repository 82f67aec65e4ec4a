import CMicroHTTPD
import Glibc
import Synchronization

/// What libmicrohttpd reports to an origin, and what it is answered: all C callbacks are here.
final class HTTPOriginEvents: Sendable {
  /// One request while libmicrohttpd works on it.
  private final class Visit {
    let target: String
    var hasBegun = false
    init(target: String) { self.target = target }
  }

  private let routes: OriginRoutes
  // Keyed by the address of libmicrohttpd's connection, which is unique while it is open.
  private let numbers = Mutex<[Int: Int]>([:])
  // The addresses of NUL-terminated copies, which libmicrohttpd reads as long as it runs.
  private let key: Int?
  private let chain: Int?

  /// Loads the certificate, where there is one.
  init(routes: OriginRoutes, certificate: OriginServer.Certificate?) throws(OriginError) {
    self.routes = routes
    let texts = try certificate?.texts()
    // Invariant: both copies are freed in `deinit` only, after the daemon has stopped.
    key = texts.map { Int(bitPattern: strdup($0.key)) }
    chain = texts.map { Int(bitPattern: strdup($0.chain)) }
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
      MHD_OptionItem(option: .CONNECTION_LIMIT, value: 800, ptr_value: nil),
      MHD_OptionItem(option: .CONNECTION_TIMEOUT, value: 30, ptr_value: nil),
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

  private static let connectionChanged: MHD_NotifyConnectionCallback = {
    observer,
    connection,
    _,
    code in
    guard let events = HTTPOriginEvents.known(by: observer), let connection else { return }
    let identity = Int(bitPattern: connection)
    if code == .CONNECTION_NOTIFY_STARTED {
      let number = events.routes.opened()
      events.numbers.withLock { $0[identity] = number }
    } else {
      events.numbers.withLock { $0[identity] = nil }
      events.routes.closed()
    }
  }

  // libmicrohttpd decodes the path and takes the query off; only here it is as the client sent it.
  private static let requestBegan:
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
    ) -> UnsafeMutableRawPointer? = { _, target, _ in
      // Invariant: the target is NUL-terminated; the retain is given back in `requestEnded`,
      // which is called once for each request that began.
      let visit = Visit(target: target.map { String(cString: $0) } ?? "")
      return Unmanaged.passRetained(visit).toOpaque()
    }

  private static let requestEnded: MHD_RequestCompletedCallback = { _, _, slot, _ in
    guard let slot, let pointer = slot.pointee else { return }
    // Invariant: the slot holds what `requestBegan` retained, until it is emptied here.
    Unmanaged<Visit>.fromOpaque(pointer).release()
    slot.pointee = nil
  }

  /// Answers on the second call, when a body, if there was one, begins to arrive or has ended: an
  /// answer at the first one would cost the connection.
  static let requestArrived: MHD_AccessHandlerCallback = {
    observer,
    connection,
    _,
    method,
    version,
    _,
    uploadSize,
    slot in
    guard let events = HTTPOriginEvents.known(by: observer), let connection, let uploadSize,
      let pointer = slot?.pointee
    else { return .NO }
    // Invariant: the slot holds what `requestBegan` retained.
    let visit = Unmanaged<Visit>.fromOpaque(pointer).takeUnretainedValue()
    guard visit.hasBegun, uploadSize.pointee == 0 else {
      visit.hasBegun = true
      uploadSize.pointee = 0
      return .YES
    }
    let request = OriginRequest(
      method: method.map { String(cString: $0) } ?? "",
      target: visit.target,
      version: version.map { String(cString: $0) } ?? "",
      headers: headers(of: connection),
      time: events.routes.now,
      connection: events.numbers.withLock { $0[Int(bitPattern: connection)] ?? 0 }
    )
    guard case .answer(let answer) = events.routes.exchange(for: request) else { return .NO }
    return queue(answer, on: connection)
  }

  private static func known(by observer: UnsafeMutableRawPointer?) -> HTTPOriginEvents? {
    // Invariant: the pointer is the object that outlives the daemon, see `options`.
    observer.map { Unmanaged<HTTPOriginEvents>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func queue(_ answer: OriginAnswer, on connection: OpaquePointer) -> MHD_Result {
    let response = answer.body.withUnsafeBytes { buffer in
      // Invariant: libmicrohttpd copies the bytes within the call and never writes to them.
      MHD_create_response_from_buffer(
        buffer.count,
        UnsafeMutableRawPointer(mutating: buffer.baseAddress),
        .RESPMEM_MUST_COPY
      )
    }
    guard let response else { return .NO }
    defer { MHD_destroy_response(response) }
    for field in answer.headers { MHD_add_response_header(response, field.name, field.value) }
    return MHD_queue_response(connection, CUnsignedInt(answer.status), response)
  }

  private static func headers(of connection: OpaquePointer) -> [OriginHeader] {
    var fields: [OriginHeader] = []
    // Invariant: the list is changed only within this call, on this thread, by the iteration.
    withUnsafeMutablePointer(to: &fields) { pointer in
      _ = MHD_get_connection_values(
        connection,
        .HEADER_KIND,
        { list, _, name, value in
          // Invariant: the pointer is the one to `fields`; both texts are NUL-terminated.
          guard let list, let name else { return .NO }
          list.assumingMemoryBound(to: [OriginHeader].self).pointee.append(
            OriginHeader(String(cString: name), value.map { String(cString: $0) } ?? "")
          )
          return .YES
        },
        pointer
      )
    }
    return fields
  }
}
