import Glibc

/// Ends the process with a message on standard error.
///
/// - Parameters:
///   - message: What went wrong.
///   - status: The exit status.
public func stop(_ message: String, status: CInt = 1) -> Never {
  writeLine("bench: \(message)", to: 2)
  exit(status)
}

/// Writes a line to a descriptor, at once and whole.
///
/// - Parameters:
///   - line: Without its line end.
///   - descriptor: 1 for standard output.
public func writeLine(_ line: String, to descriptor: CInt = 1) {
  let bytes = Array((line + "\n").utf8)
  // Invariant: the buffer is the array's own and lives through the call; only `count` is read.
  bytes.withUnsafeBytes { buffer in
    var rest = buffer[...]
    while !rest.isEmpty {
      let piece = UnsafeRawBufferPointer(rebasing: rest)
      let count = write(descriptor, piece.baseAddress, piece.count)
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }
}
