import Glibc
import Reporting

/// Writes bytes to a descriptor, all of them.
enum StandardOutput {
  /// Why nothing more can be written.
  enum Failure: Error, Sendable, Hashable {
    /// The reader has gone, which is its right (EPIPE).
    case closed
    /// The system's word for anything else.
    case failed(CInt)
  }

  /// Writes; blocks until everything is taken.
  ///
  /// - Parameters:
  ///   - bytes: What to write.
  ///   - descriptor: Where to; default: standard output.
  /// - Throws: Where the reader has gone, or the system refuses.
  static func write(
    _ bytes: some Sequence<UInt8>,
    to descriptor: CInt = STDOUT_FILENO
  ) throws(Failure) {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let piece = Array(rest)
      let count = Glibc.write(descriptor, piece, piece.count)
      if count >= 0 {
        rest = rest.dropFirst(count)
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        var target = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&target, 1, -1)
      case EPIPE: throw .closed
      case let problem: throw .failed(problem)
      }
    }
  }

  /// Prints text with a line end, for commands that print little.
  ///
  /// - Parameter text: Without the last line end.
  /// - Returns: Success also where the reader has gone.
  static func print(_ text: String) -> ExitStatus {
    do {
      try write((text + "\n").utf8)
    } catch .failed(let problem) {
      return report(problem)
    } catch {}
    return .success
  }

  /// Says on standard error that standard output takes no more.
  static func report(_ problem: CInt) -> ExitStatus {
    StandardError.print(
      "affix: standard output cannot be written: \(String(cString: strerror(problem)))"
    )
    return .fault
  }
}

/// Words for people, which must not get between results.
enum StandardError {
  /// Prints a line, with everything escaped that could harm a terminal; a closed standard error
  /// is no reason to stop.
  static func print(_ line: String) {
    try? StandardOutput.write((line.printable + "\n").utf8, to: STDERR_FILENO)
  }
}
