import AttachmentModel
import CMicroHTTPD
import Glibc

/// How a connection sleeps while a stream has nothing to send.
struct StreamSleep: Sendable {
  /// Puts it to sleep; called while nobody can add to the stream.
  let begin: @Sendable () -> Void
  /// Called once it sleeps.
  let begun: @Sendable () -> Void
  /// Wakes it, from any thread.
  let end: @Sendable () -> Void
}

/// Hands an answer to libmicrohttpd.
enum QueuedResponse {
  /// Queues an answer on a connection, in one of its callbacks.
  ///
  /// - Parameters:
  ///   - answer: What to send.
  ///   - connection: Whom to.
  ///   - sleep: How the connection sleeps where a stream has nothing to send.
  /// - Returns: What the callback must return.
  static func queue(
    _ answer: HTTPAnswer,
    on connection: OpaquePointer,
    _ sleep: StreamSleep
  ) -> MHD_Result {
    guard let response = response(answer, sleep) else { return .NO }
    defer { MHD_destroy_response(response) }
    for field in answer.fields { MHD_add_response_header(response, field.name, field.value) }
    return MHD_queue_response(connection, CUnsignedInt(answer.status), response)
  }

  /// An answer as it is written where libmicrohttpd takes none: the last one on its connection.
  ///
  /// - Parameter answer: With a body of bytes.
  /// - Returns: Head and body; nothing for another body.
  static func lastBytes(of answer: HTTPAnswer) -> [UInt8]? {
    guard case .bytes(let body) = answer.body else { return nil }
    // Invariant: the phrase is a NUL-terminated constant of the library's.
    let phrase =
      MHD_get_reason_phrase_for(CUnsignedInt(answer.status))
      .map { String(cString: $0) } ?? ""
    var lines = ["HTTP/1.1 \(answer.status) \(phrase)", "Date: \(date())", "Connection: close"]
    lines += answer.fields.map { "\($0.name): \($0.value)" } + ["Content-Length: \(body.count)"]
    return Array((lines + ["", ""]).joined(separator: "\r\n").utf8) + body
  }

  /// The time, as RFC 9110 has it in a head (section 5.6.7).
  private static func date() -> String {
    var now = time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func response(
    _ answer: HTTPAnswer,
    _ sleep: StreamSleep
  ) -> OpaquePointer? {
    switch answer.body {
    case .bytes(let bytes):
      return bytes.withUnsafeBytes { buffer in
        // Invariant: libmicrohttpd copies the bytes within the call and never writes to them.
        MHD_create_response_from_buffer(
          buffer.count,
          UnsafeMutableRawPointer(mutating: buffer.baseAddress),
          .RESPMEM_MUST_COPY
        )
      }
    case .file(let file, let range):
      // libmicrohttpd closes the descriptor when the response is gone; ours stays the file's.
      let copy = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { return nil }
      return MHD_create_response_from_fd_at_offset64(
        UInt64(range.count),
        copy,
        UInt64(range.lowerBound)
      )
    case .stream(let stream):
      // Invariant: the reader is retained here and released when the response is gone.
      let reader = Unmanaged.passRetained(StreamReader(stream, sleep)).toOpaque()
      return MHD_create_response_from_callback(UInt64.max, 32 << 10, read, reader, release)
    }
  }

  private static let read: MHD_ContentReaderCallback = { reader, _, buffer, size in
    guard let reader, let buffer else { return -2 }
    // Invariant: the pointer is the reader that the response retains.
    let found = Unmanaged<StreamReader>.fromOpaque(reader).takeUnretainedValue()
    switch found.stream.take(size, sleep: found.sleep.begin, wake: found.sleep.end) {
    case .bytes(let bytes):
      // Invariant: `take` gives no more than `size` bytes, for which there is room.
      UnsafeMutableRawPointer(buffer).copyMemory(from: bytes, byteCount: bytes.count)
      return bytes.count
    case .later:
      found.sleep.begun()
      return 0
    case .end: return -1
    }
  }

  private static let release: MHD_ContentReaderFreeCallback = { reader in
    guard let reader else { return }
    // Invariant: the pointer is the reader retained for this response, released once, here.
    Unmanaged<StreamReader>.fromOpaque(reader).takeRetainedValue().stream.abandon()
  }

  private final class StreamReader: Sendable {
    let stream: AnswerStream
    let sleep: StreamSleep

    init(_ stream: AnswerStream, _ sleep: StreamSleep) {
      self.stream = stream
      self.sleep = sleep
    }
  }
}

/// What libmicrohttpd knows about a connection.
enum ConnectionFacts {
  /// The header fields, names in lower case.
  static func fields(of connection: OpaquePointer) -> [RequestHead.Field] {
    var fields: [RequestHead.Field] = []
    // Invariant: the list is changed only within this call, on this thread, by the iteration.
    withUnsafeMutablePointer(to: &fields) { pointer in
      _ = MHD_get_connection_values(
        connection,
        .HEADER_KIND,
        { list, _, name, value in
          // Invariant: the pointer is the one to `fields`; both texts are NUL-terminated.
          guard let list, let name else { return .NO }
          list.assumingMemoryBound(to: [RequestHead.Field].self).pointee.append(
            RequestHead.Field(
              name: String(cString: name).lowercased(),
              value: value.map { String(cString: $0) } ?? ""
            )
          )
          return .YES
        },
        pointer
      )
    }
    return fields
  }

  /// The client's numeric address.
  static func clientAddress(of connection: OpaquePointer) -> String {
    guard let name = affix_mhd_client_address(connection) else { return "unknown" }
    let isIPv6 = CInt(name.pointee.sa_family) == AF_INET6
    let size = isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    // Invariant: libmicrohttpd's name is of the size that its family has.
    let outcome = getnameinfo(
      name,
      socklen_t(size),
      &text,
      socklen_t(text.count),
      nil,
      0,
      NI_NUMERICHOST
    )
    guard outcome == 0 else { return "unknown" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
