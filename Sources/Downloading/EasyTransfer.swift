import AttachmentModel
import CCurl
import Glibc
import TimeBudgets

/// A libcurl easy handle: set up once, used for one hop after another.
///
/// Belongs to one loop's thread. Everything that reads or writes libcurl's options and figures for
/// a transfer is here; what they mean is decided elsewhere.
final class EasyTransfer {
  // Invariant: all come from libcurl, belong to this object, and are freed in deinit only.
  let handle: OpaquePointer
  /// Where the current hop leads: libcurl reads an address given so once, and not twice.
  private let address: OpaquePointer
  /// The fields of a request to the first host, and to any other.
  private let firstFields: UnsafeMutablePointer<curl_slist>?
  private let otherFields: UnsafeMutablePointer<curl_slist>?
  private var hopFields: UnsafeMutablePointer<curl_slist>?
  private let configuration: Downloader.Configuration
  private let addressGuard: AddressGuard
  /// What libcurl says of a failure, as C text.
  private let explanation: UnsafeMutablePointer<CChar>
  private let connections: OpenConnections
  /// The sockets that were opened for the current hop, one for each address that was tried.
  private var opened: [CInt] = []
  /// Whether the current hop has a connection that was kept, and whether it must not be used.
  private var usesKeptConnection = false
  private var hasRefusedConnection = false
  /// When a connection that was kept for the current hop ended, which libcurl takes for a first byte.
  private var endOfConnection: Duration = .zero
  /// Whether connections of the current host are shared, so that something may arrive at any time.
  private var sharesConnection = false
  /// What libcurl handed over of its last read.
  private var pieces = BodyPieces()
  private let clock: TurnClock
  private let received: ByteCounter
  private(set) var transfer: Transfer?
  /// The transfer again, for the callbacks: they come fourteen times for a small file, and need not
  /// count their references.
  private var current: Unmanaged<Transfer>?
  /// Where its loop keeps it while it has a transfer.
  var place = 0

  init?(
    _ settings: TransferEngine.Settings,
    sessions: OpaquePointer?,
    connections: OpenConnections,
    clock: TurnClock,
    received: ByteCounter
  ) {
    guard let handle = curl_easy_init() else { return nil }
    guard let address = curl_url() else {
      curl_easy_cleanup(handle)
      return nil
    }
    self.handle = OpaquePointer(handle)
    self.address = address
    // Invariant: as much as libcurl writes at most (CURL_ERROR_SIZE), and always terminated.
    explanation = .allocate(capacity: Int(CURL_ERROR_SIZE))
    explanation.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    self.connections = connections
    self.clock = clock
    self.received = received
    configuration = settings.configuration
    addressGuard = AddressGuard(policy: configuration.addresses)
    firstFields = Self.list(configuration.requestFields(forFirstHost: true))
    otherFields = Self.list(configuration.requestFields(forFirstHost: false))
    setUp(settings, sessions: sessions)
  }

  deinit {
    curl_easy_cleanup(curl)
    curl_url_cleanup(address)
    explanation.deallocate()
    for list in [hopFields, firstFields, otherFields] { curl_slist_free_all(list) }
  }

  private static func list(_ lines: [String]) -> UnsafeMutablePointer<curl_slist>? {
    // Invariant: libcurl copies each line, and hands back the list that it is given.
    lines.reduce(nil) { curl_slist_append($0, $1) }
  }

  /// The handle as libcurl's functions take it.
  var curl: UnsafeMutableRawPointer {
    // Invariant: made by curl_easy_init, freed only in deinit.
    UnsafeMutableRawPointer(handle)
  }

  private func setUp(_ settings: TransferEngine.Settings, sessions: OpaquePointer?) {
    let configuration = settings.configuration
    affix_easy_set_string(curl, CURLOPT_PROTOCOLS_STR, "http,https")
    affix_easy_set_string(curl, CURLOPT_PROXY, "")
    affix_easy_set_string(curl, CURLOPT_NOPROXY, "*")
    affix_easy_set_pointer(curl, CURLOPT_CURLU, UnsafeMutableRawPointer(address))
    affix_easy_set_pointer(curl, CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(explanation))
    affix_easy_set_string(curl, CURLOPT_ACCEPT_ENCODING, Downloader.Configuration.codings)
    if let file = configuration.certificateAuthorities {
      affix_easy_set_string(curl, CURLOPT_CAINFO, file)
    }
    affix_easy_set_long(curl, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    affix_easy_set_long(curl, CURLOPT_NOSIGNAL, 1)
    // Without it a dead resolver blocks the whole loop until its own time-out.
    affix_easy_set_long(curl, CURLOPT_QUICK_EXIT, 1)
    affix_easy_set_long(curl, CURLOPT_BUFFERSIZE, settings.bufferSize)
    if let sessions { affix_easy_set_share(curl, UnsafeMutableRawPointer(sessions)) }

    affix_easy_set_header(curl) { data, size, count, user in
      EasyTransfer.receive(data, size * count, user) { transfer, line, easy in
        transfer.receiveHeader(line, at: easy.clock.now)
      }
    }
    affix_easy_set_write(curl) { data, size, count, user in
      EasyTransfer.receive(data, size * count, user) { transfer, piece, easy in
        easy.receiveBody(piece, of: transfer)
      }
    }
    affix_easy_set_open_socket(curl) { user, _, address in
      guard let user, let address else { return CURL_SOCKET_BAD }
      // Invariant: as in `receive`.
      return Unmanaged<EasyTransfer>.fromOpaque(user).takeUnretainedValue().openSocket(address)
    }
    affix_easy_set_close_socket(curl) { user, socket in
      guard let user else { return Glibc.close(socket) }
      // Invariant: as below.
      Unmanaged<OpenConnections>.fromOpaque(user)._withUnsafeGuaranteedRef { $0.close(socket) }
      return 0
    }
    affix_easy_set_before_request(curl) { user, remoteAddress, _, remotePort, localPort in
      guard let user, let remoteAddress else { return CURL_PREREQFUNC_ABORT }
      let ends = OpenConnections.Ends(
        localPort: localPort,
        remoteAddress: String(cString: remoteAddress),
        remotePort: remotePort
      )
      // Invariant: as in `receive`.
      return Unmanaged<EasyTransfer>.fromOpaque(user)._withUnsafeGuaranteedRef { easy in
        easy.takesUp(ends) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
      }
    }
    // Invariant: this object outlives its handle (deinit frees it), so libcurl never keeps a
    // dangling pointer; the loop calls libcurl only on its own thread.
    let me = Unmanaged.passUnretained(self).toOpaque()
    affix_easy_set_pointer(curl, CURLOPT_HEADERDATA, me)
    affix_easy_set_pointer(curl, CURLOPT_WRITEDATA, me)
    affix_easy_set_pointer(curl, CURLOPT_OPENSOCKETDATA, me)
    affix_easy_set_pointer(curl, CURLOPT_PREREQDATA, me)
    // Invariant: a connection may outlive this object, but not its loop, which holds them all.
    let table = Unmanaged.passUnretained(connections).toOpaque()
    affix_easy_set_pointer(curl, CURLOPT_CLOSESOCKETDATA, table)
    affix_easy_set_pointer(curl, CURLOPT_PRIVATE, me)
  }

  private static func receive(
    _ data: UnsafeMutablePointer<CChar>?,
    _ count: Int,
    _ user: UnsafeMutableRawPointer?,
    _ take: (Transfer, UnsafeRawBufferPointer, EasyTransfer) -> Bool
  ) -> Int {
    // Invariant: `user` is the EasyTransfer that set the callback, alive as long as its handle, and
    // it holds `transfer`, which is `current`, from before libcurl has the handle until after.
    guard let user else { return 0 }
    let bytes = UnsafeRawBufferPointer(start: data, count: count)
    return Unmanaged<EasyTransfer>.fromOpaque(user)._withUnsafeGuaranteedRef { easy in
      guard let current = easy.current else { return 0 }
      return current._withUnsafeGuaranteedRef { take($0, bytes, easy) } ? count : 0
    }
  }

  /// Takes a piece of the body; false stops the transfer.
  private func receiveBody(_ piece: UnsafeRawBufferPointer, of transfer: Transfer) -> Bool {
    received.add(piece.count)
    guard transfer.comesAsItIs else { return transfer.receiveBody(piece, at: clock.now) }
    return switch pieces.take(piece, of: codedBytes) {
    case .wait: true
    case .take(let bytes): transfer.receiveBody(bytes, at: clock.now)
    case .lost: false
    }
  }

  private func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
    guard let peer = Self.ipAddress(address), let transfer else { return CURL_SOCKET_BAD }
    transfer.machine.isLookingUp = false
    if let reason = addressGuard.refusal(of: peer) {
      transfer.refusedAddress = "\(peer) is \(reason)"
      return CURL_SOCKET_BAD
    }
    let kind = address.pointee.socktype | CInt(SOCK_CLOEXEC.rawValue)
    let opened = socket(address.pointee.family, kind, address.pointee.protocol)
    if opened < 0 {
      transfer.socketProblem = errno
    } else {
      self.opened.append(opened)
    }
    return opened
  }

  /// Takes up a connection for the hop; false where it must not be used.
  private func takesUp(_ ends: OpenConnections.Ends) -> Bool {
    guard let transfer else { return false }
    let isNew = !opened.isEmpty && connections.add(ends, amongst: opened)
    // libcurl has gone on to the next one that was kept: that may be as dead as the first.
    let isRepeated = usesKeptConnection
    usesKeptConnection = !isNew
    hasRefusedConnection = !isNew && !sharesConnection && (isRepeated || !isQuiet(ends))
    endOfConnection = time(CURLINFO_STARTTRANSFER_TIME_T)
    guard !hasRefusedConnection else { return false }
    pieces = BodyPieces()
    transfer.machine.connected(at: clock.now)
    return true
  }

  /// Whether nothing waits on a connection, neither in the system nor in the TLS library.
  private func isQuiet(_ ends: OpenConnections.Ends) -> Bool {
    connections.isQuiet(ends)
      && !(transfer?.url.scheme == "https" && affix_easy_has_pending(curl))
  }

  private static func ipAddress(_ address: UnsafeMutablePointer<curl_sockaddr>) -> IPAddress? {
    // Invariant: libcurl fills in a socket address of the stated family and length.
    withUnsafeBytes(of: &address.pointee.addr) { raw in
      switch address.pointee.family {
      case AF_INET:
        return raw.count >= 8 ? IPAddress(bytes: Array(raw[4..<8])) : nil
      case AF_INET6:
        // The declared type is a plain sockaddr (16 bytes); the whole of it is longer.
        let whole = UnsafeRawBufferPointer(
          start: raw.baseAddress,
          count: Int(min(address.pointee.addrlen, 128))
        )
        return whole.count >= 24 ? IPAddress(bytes: Array(whole[8..<24])) : nil
      default:
        return nil
      }
    }
  }

  /// The object that a libcurl handle belongs to.
  static func owner(of handle: UnsafeMutableRawPointer) -> EasyTransfer? {
    var value: UnsafeMutablePointer<CChar>?
    // Invariant: CURLOPT_PRIVATE holds the object that made the handle and outlives it.
    guard affix_easy_get_string(handle, CURLINFO_PRIVATE, &value) == CURLE_OK, let value else {
      return nil
    }
    return Unmanaged<EasyTransfer>.fromOpaque(UnsafeRawPointer(value)).takeUnretainedValue()
  }

  /// Points the handle at the transfer's current hop.
  ///
  /// - Parameters:
  ///   - transfer: What is to be fetched.
  ///   - waitsForConnection: Whether to wait for a connection that is being made to the same host,
  ///     so as to share it; right only where the host is known to speak HTTP/2.
  /// - Returns: Whether libcurl can read the address.
  func prepare(_ transfer: Transfer, waitsForConnection: Bool) -> Bool {
    self.transfer = transfer
    // Invariant: `transfer` keeps it alive; both are set together.
    current = Unmanaged.passUnretained(transfer)
    opened.removeAll(keepingCapacity: true)
    usesKeptConnection = false
    hasRefusedConnection = false
    endOfConnection = .zero
    sharesConnection = waitsForConnection
    affix_easy_set_long(curl, CURLOPT_PIPEWAIT, waitsForConnection ? 1 : 0)
    affix_easy_set_long(curl, CURLOPT_FRESH_CONNECT, transfer.asksOverNewConnection ? 1 : 0)
    let isFirstHost = transfer.url.origin == transfer.firstOrigin
    let conditions = transfer.machine.redirects == 0 ? transfer.conditions : []
    if transfer.rest != nil || !conditions.isEmpty {
      ask(with: conditions, resuming: transfer.rest, isFirstHost: isFirstHost)
    } else {
      endAsking()
      affix_easy_set_list(curl, CURLOPT_HTTPHEADER, isFirstHost ? firstFields : otherFields)
    }
    return transfer.url.text.withCString {
      curl_url_set(address, CURLUPART_URL, $0, 0) == CURLUE_OK
    }
  }

  /// Tells libcurl how long the hop may take to connect.
  ///
  /// The deadline is kept by the loop's own clock, and libcurl's comes a little later. What counts
  /// is that it gives each address of a family but the last half of what is left, and goes on to
  /// the next: a dead address may well stand before a good one.
  func connect(within allowance: Duration) {
    let milliseconds = Int(max(0, min(allowance.milliseconds, 86_400_000))) + 100
    affix_easy_set_long(curl, CURLOPT_CONNECTTIMEOUT_MS, milliseconds)
  }

  /// Asks with fields of this hop's own: conditions, or for the rest of a file as long as it is
  /// still the same (RFC 9110, section 13.1.5).
  ///
  /// The rest without content codings: a part of a coded body cannot be decoded by itself.
  private func ask(with conditions: [String], resuming partial: PartialBody?, isFirstHost: Bool) {
    endAsking()
    let fields = configuration.requestFields(
      forFirstHost: isFirstHost,
      offersCodings: partial == nil
    )
    hopFields = Self.list(
      fields + conditions + (partial.map { ["If-Range: \($0.entityTag)"] } ?? [])
    )
    affix_easy_set_list(curl, CURLOPT_HTTPHEADER, hopFields)
    guard let partial else { return }
    affix_easy_set_string(curl, CURLOPT_RANGE, "\(partial.received)-")
    affix_easy_set_string(curl, CURLOPT_ACCEPT_ENCODING, nil)
  }

  private func endAsking() {
    guard hopFields != nil else { return }
    affix_easy_set_list(curl, CURLOPT_HTTPHEADER, nil)
    affix_easy_set_string(curl, CURLOPT_RANGE, nil)
    affix_easy_set_string(curl, CURLOPT_ACCEPT_ENCODING, Downloader.Configuration.codings)
    curl_slist_free_all(hopFields)
    hopFields = nil
  }

  /// Lets go of the transfer; the handle may be used for another.
  func release() {
    current = nil
    transfer = nil
    endAsking()
  }

  /// How long after the hop's start the first byte of the answer came, once it did.
  ///
  /// Header lines are handed over when they are whole; a byte a second shows here first.
  var firstByteTime: Duration? {
    let time = time(CURLINFO_STARTTRANSFER_TIME_T)
    return time > endOfConnection ? time : nil
  }

  /// Whether all that libcurl handed over was taken.
  var isTaken: Bool {
    pieces.isEmpty
  }

  /// Body bytes of the last hop as they came over the network, before any coding was undone.
  var codedBytes: Int64 {
    var count: curl_off_t = 0
    affix_easy_get_offset(curl, CURLINFO_SIZE_DOWNLOAD_T, &count)
    return Int64(count)
  }

  /// Adds what libcurl measured of the last hop to the metrics.
  func measure(_ metrics: inout TransferMetrics, hop elapsed: Duration) {
    var marks = PhaseTimes.Marks()
    marks.nameLookup = time(CURLINFO_NAMELOOKUP_TIME_T)
    marks.connect = time(CURLINFO_CONNECT_TIME_T)
    marks.tls = time(CURLINFO_APPCONNECT_TIME_T)
    marks.ready = time(CURLINFO_PRETRANSFER_TIME_T)
    marks.firstByte = time(CURLINFO_STARTTRANSFER_TIME_T)
    let usesTLS = transfer?.url.scheme == "https"
    let phases = PhaseTimes(marks, elapsed: elapsed, usesTLS: usesTLS)
    metrics.nameLookup += phases.nameLookup
    metrics.connect += phases.connect
    metrics.tls += phases.tls
    metrics.firstByte += phases.firstByte
    metrics.body += phases.body
    metrics.remoteAddress = text(CURLINFO_PRIMARY_IP)
    metrics.httpVersion =
      switch number(CURLINFO_HTTP_VERSION) {
      case Int(CURL_HTTP_VERSION_1_0): "1.0"
      case Int(CURL_HTTP_VERSION_1_1): "1.1"
      case Int(CURL_HTTP_VERSION_2_0): "2"
      case Int(CURL_HTTP_VERSION_3): "3"
      default: nil
      }
  }

  /// Whether the hop came to nothing because of the connection that was kept for it.
  ///
  /// An origin may close one at any time, also when the next request is on its way: then that may be
  /// sent again (RFC 9112, section 9.3.1). libcurl does so by itself, but over the next one that was
  /// kept, and gives up after five.
  func needsNewConnection(after result: CURLcode) -> Bool {
    guard let transfer, !transfer.asksOverNewConnection else { return false }
    return switch result {
    case CURLE_ABORTED_BY_CALLBACK: hasRefusedConnection
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING:
      usesKeptConnection && transfer.stop == nil && transfer.machine.isWaiting
    default: false
    }
  }

  /// What libcurl's result means.
  func failure(for result: CURLcode) -> DownloadError {
    guard let transfer else { return DownloadError(.protocolError, "the transfer is gone") }
    let words = String(cString: curl_easy_strerror(result))
    let sawHead = transfer.machine.head != nil
    switch result {
    case CURLE_COULDNT_RESOLVE_HOST:
      return DownloadError(.nameNotResolved, "the host name \(transfer.url.host) has no address")
    case CURLE_COULDNT_CONNECT:
      return connectionFailure(transfer)
    case CURLE_OPERATION_TIMEDOUT:
      return DownloadError(.connectTimedOut, "no connection in time")
    case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_SEND_ERROR,
      CURLE_GOT_NOTHING:
      return sawHead
        ? incomplete(transfer)
        : .brokenConnection("the connection broke before the answer's head: \(words)")
    case CURLE_BAD_CONTENT_ENCODING:
      let coding = transfer.machine.head?.contentEncoding ?? "unknown"
      return DownloadError(.badEncoding, "the body's content coding (\(coding)) cannot be undone")
    case CURLE_WRITE_ERROR where transfer.machine.head?.contentEncoding != nil:
      // Nobody but libcurl's own decoder says so: what follows the coded bytes is not part of them.
      return DownloadError(.badEncoding, "the coded body goes on behind its end")
    case CURLE_OUT_OF_MEMORY where !sawHead:
      return DownloadError(.protocolError, "a line of the answer's head is too long to be read")
    case CURLE_OK:
      return .brokenConnection("the answer ended before its final head")
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE,
      CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
      CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED,
      CURLE_USE_SSL_FAILED, CURLE_SSL_CLIENTCERT:
      return tlsFailure(result, words)
    case CURLE_URL_MALFORMAT:
      return DownloadError(.invalidURL, "the address cannot be read")
    default:
      return sawHead && transfer.machine.received > 0
        ? incomplete(transfer)
        : DownloadError(.protocolError, "no valid answer: \(words)")
    }
  }

  private func tlsFailure(_ result: CURLcode, _ meaning: String) -> DownloadError {
    let said = String(cString: explanation)
    let reason = said.isEmpty || result == CURLE_SSL_CONNECT_ERROR ? meaning : said
    let advice =
      switch result {
      case CURLE_PEER_FAILED_VERIFICATION:
        "; the certificate must be for this host, and of an authority that is trusted (--ca-file)"
      case CURLE_SSL_CONNECT_ERROR: "; does this port speak TLS?"
      default: ""
      }
    return DownloadError(.tlsFailed, "no trustworthy TLS connection: \(reason)\(advice)")
  }

  private func connectionFailure(_ transfer: Transfer) -> DownloadError {
    // Where another address was tried in vain, that is what went wrong, and may pass.
    if let refused = transfer.refusedAddress, opened.isEmpty {
      return DownloadError(
        .blockedAddress,
        "\(transfer.url.host) leads to an address that is not connected to unless whoever runs this "
          + "allows it (--allow-address): \(refused)"
      )
    }
    // What this machine lacks is not to be blamed on the host; libcurl does not tell it apart.
    switch transfer.socketProblem {
    case EMFILE, ENFILE:
      return DownloadError(.storageFull, "no more files can be opened; raise the limit (ulimit -n)")
    case ENOBUFS, ENOMEM:
      return DownloadError(.storageFull, "the system has no memory for a connection")
    default: break
    }
    switch CInt(truncatingIfNeeded: number(CURLINFO_OS_ERRNO)) {
    case ETIMEDOUT:
      return DownloadError(.connectTimedOut, "the host does not answer")
    case let number:
      let words = number == 0 ? "" : ": \(String(cString: strerror(number)))"
      return DownloadError(
        .connectionRefused,
        "no connection to port \(transfer.url.port)\(words)"
      )
    }
  }

  private func incomplete(_ transfer: Transfer) -> DownloadError {
    let announced = transfer.machine.head?.contentLength.map { " of \($0.bytes)" } ?? ""
    return DownloadError(
      .incompleteBody,
      "the body ended after \(transfer.machine.received)\(announced) bytes"
    )
  }

  private func time(_ info: CURLINFO) -> Duration {
    var microseconds: curl_off_t = 0
    affix_easy_get_offset(curl, info, &microseconds)
    return .microseconds(microseconds)
  }

  private func number(_ info: CURLINFO) -> Int {
    var value = 0
    affix_easy_get_long(curl, info, &value)
    return value
  }

  private func text(_ info: CURLINFO) -> String? {
    var value: UnsafeMutablePointer<CChar>?
    // Invariant: the string belongs to the handle and is copied at once.
    guard affix_easy_get_string(curl, info, &value) == CURLE_OK, let value else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }
}
