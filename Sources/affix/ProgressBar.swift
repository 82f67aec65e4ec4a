import AttachmentModel
import Glibc
import Reporting
import Synchronization
import TimeBudgets

/// A line on the terminal that tells how far a run is.
///
/// Drawn and cleared only on the output thread, so that it never gets between rows.
final class ProgressBar: Sendable {
  private let terminal: Terminal
  private let total: Int?
  private let receivedBytes: @Sendable () -> ByteCount
  private let stopwatch: Stopwatch
  private let start: Duration
  private let done = Mutex(0)
  /// What stands on the screen; nothing at all once the run is over.
  private let drawn = Mutex<String?>("")

  /// A bar for standard error, or nothing where that is no terminal.
  ///
  /// - Parameters:
  ///   - total: How many sources there are, where that is known.
  ///   - terminal: Where it is drawn.
  ///   - stopwatch: What tells the time.
  ///   - receivedBytes: Bytes fetched so far.
  init?(
    total: Int?,
    terminal: Terminal,
    stopwatch: Stopwatch,
    receivedBytes: @escaping @Sendable () -> ByteCount
  ) {
    guard terminal.canRedraw else { return nil }
    self.total = total
    self.terminal = terminal
    self.stopwatch = stopwatch
    self.receivedBytes = receivedBytes
    start = stopwatch.now
  }

  /// Counts a finished source.
  func advance() {
    done.withLock { $0 += 1 }
  }

  /// Draws the bar anew where it would look different; call it on the output thread.
  func draw() {
    let line = text.cutInTheMiddle(to: max(10, (terminal.width ?? 80) - 1))
    drawn.withLock { drawn in
      guard let shown = drawn, shown != line else { return }
      try? StandardOutput.write("\r\(line)\u{1B}[K".utf8, to: STDERR_FILENO)
      drawn = line
    }
  }

  /// Takes the bar off the screen; call it on the output thread.
  func clear() {
    drawn.withLock { drawn in
      guard let shown = drawn, !shown.isEmpty else { return }
      try? StandardOutput.write("\r\u{1B}[K".utf8, to: STDERR_FILENO)
      drawn = ""
    }
  }

  /// Takes the bar off the screen for good; call it on the output thread.
  func finish() {
    clear()
    drawn.withLock { $0 = nil }
  }

  /// `[#####.....] 20/40 sources, 12.4 MB, 3.1 MB/s, 12.00 s left`.
  private var text: String {
    let done = done.withLock { $0 }
    let bytes = receivedBytes()
    let elapsed = stopwatch.now - start
    let rate = Double(bytes.bytes) / max(0.001, elapsed.milliseconds / 1_000)
    var parts = ["\(done) \(done == 1 ? "source" : "sources")"]
    // Local files are not fetched.
    if bytes > ByteCount(0) { parts += [bytes.rounded, "\(ByteCount(Int64(rate)).rounded)/s"] }
    guard let total, total > 0 else { return parts.joined(separator: ", ") }
    parts[0] = "\(done)/\(total) sources"
    if done > 0, done < total {
      parts.append("\((elapsed / done * (total - done)).rounded) left")
    }
    let filled = 20 * min(done, total) / total
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 20 - filled)
    return "[\(bar)] " + parts.joined(separator: ", ")
  }
}
