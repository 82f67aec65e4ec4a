import Glibc
import Synchronization

/// The descriptors of a command: what it reads and writes, and how its end is told.
///
/// Output goes into files without a name, so that a command never waits for a reader and can be
/// read while it runs.
final class CommandStreams: Sendable {
  let input: CInt
  let output: CInt
  let error: CInt
  private let end: (reading: CInt, writing: CInt)
  private let isInputOpen = Mutex(true)
  private let isEndOpen = Mutex(true)

  /// Opens everything.
  init(input: CommandRun.Input, output: CommandRun.Output) throws(OriginError) {
    self.input = try Self.source(of: input)
    self.output = try output == .captured ? Self.namelessFile() : Self.closedPipe()
    error = try Self.namelessFile()
    end = try Self.pipeEnds()
  }

  deinit {
    closeInput()
    announceEnd()
    for descriptor in [output, error, end.reading] { close(descriptor) }
  }

  /// Closes our copy of what the command reads, once it has its own.
  func closeInput() {
    isInputOpen.withLock { isOpen in
      if isOpen { close(input) }
      isOpen = false
    }
  }

  /// Tells `ended` that the command is gone.
  func announceEnd() {
    isEndOpen.withLock { isOpen in
      if isOpen { close(end.writing) }
      isOpen = false
    }
  }

  /// Waits for the end.
  ///
  /// - Parameter allowance: How long at most.
  /// - Returns: Whether it came in time.
  func ended(within allowance: Duration) -> Bool {
    var descriptor = pollfd(fd: end.reading, events: 0, revents: 0)
    let milliseconds = min(600_000, max(0, (allowance / .milliseconds(1)).rounded(.up)))
    return poll(&descriptor, 1, CInt(milliseconds)) > 0
  }

  /// Whether more was printed than any test wants to see: 256 MB.
  var isOverfull: Bool {
    max(lseek(output, 0, SEEK_CUR), lseek(error, 0, SEEK_CUR)) > 256 << 20
  }

  private static func source(of input: CommandRun.Input) throws(OriginError) -> CInt {
    guard case .bytes(let bytes) = input else { return open("/dev/null", O_RDONLY | O_CLOEXEC) }
    let isPiped = bytes.count <= 64 << 10
    let ends = isPiped ? try pipeEnds() : (reading: try namelessFile(), writing: -1)
    let target = isPiped ? ends.writing : ends.reading
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { buffer in
        // Invariant: the buffer is read within its own bounds.
        write(target, buffer.baseAddress, buffer.count)
      }
      guard count > 0 else { throw OriginError(description: "no room for input: errno \(errno)") }
      sent += count
    }
    if isPiped { close(ends.writing) } else { lseek(ends.reading, 0, SEEK_SET) }
    return ends.reading
  }

  private static func closedPipe() throws(OriginError) -> CInt {
    let ends = try pipeEnds()
    close(ends.reading)
    return ends.writing
  }

  private static func pipeEnds() throws(OriginError) -> (reading: CInt, writing: CInt) {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { throw OriginError(description: "no pipe: errno \(errno)") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func namelessFile() throws(OriginError) -> CInt {
    var template = [CChar]("/tmp/affix-stream-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else {
      throw OriginError(description: "no temporary file: errno \(errno)")
    }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }
}
