import AttachmentModel
import Synchronization

/// The transfer loops, and the way to the least busy of them.
final class TransferEngine: Sendable {
  /// What every loop and handle is set up with.
  final class Settings: Sendable {
    let configuration: Downloader.Configuration

    init(_ configuration: Downloader.Configuration) {
      self.configuration = configuration
    }

    /// libcurl's receive buffer: large while there are few, so that many do not eat the memory.
    ///
    /// 1,000 handles take 111 MB with 100 KB buffers, 27 MB with 16 KB. A record of TLS (16 KB), with
    /// a head that is longer as text than as sent (by the 4 KB that HTTP/2 remembers of heads), must
    /// not overfill it: libcurl 7.88 would not see the end of an answer, if it was in there, until
    /// something else arrives.
    var bufferSize: Int {
      isWide ? 20_480 : 102_400
    }

    /// How many bytes of bodies may be held in memory at once, where nobody needs a file.
    ///
    /// A check of 1,000 at once takes 55 MB besides, of the 64 that it may.
    var heldBytes: Int {
      (isWide ? 4 : 16) * 1_024 * 1_024
    }

    private var isWide: Bool {
      configuration.concurrency > 128
    }

    /// Refuses a port that may not be connected to; addresses are judged when they are known.
    func check(_ url: RequestURL) throws(DownloadError) {
      guard configuration.addresses.allows(port: url.port) else {
        throw DownloadError(
          .blockedPort,
          "port \(url.port) is not connected to unless whoever runs this allows it (--allow-port); "
            + "80, 443 and 1024 to 65535 are"
        )
      }
    }
  }

  let settings: Settings
  private let loops: [TransferLoop]
  private let turn = Atomic<UInt>(0)

  /// Starts a number of loops.
  init(_ settings: Settings, loops count: Int) throws(DownloadError) {
    self.settings = settings
    // Transfers go to the loop that has fewest, so none has more than its share at once; idle
    // connections beyond that would only be held open.
    let count = max(1, count)
    let share = (settings.configuration.concurrency + count - 1) / count
    var loops: [TransferLoop] = []
    for _ in 0..<count { loops.append(try TransferLoop(settings, keeping: share + 1)) }
    self.loops = loops
  }

  /// Runs a transfer to its end.
  ///
  /// - Parameters:
  ///   - transfer: A transfer that was not started yet.
  ///   - ended: Called on the loop's thread as soon as it has ended; must not block.
  /// - Returns: What the transfer brought; `cancelled` soon after the task was.
  func run(
    _ transfer: Transfer,
    whenEnded ended: @escaping Transfer.Completion
  ) async -> Transfer.Result {
    let loop = loops.first { $0.isCurrent } ?? leastBusyLoop
    loop.takesOn()
    defer { loop.isDone() }
    return await withTaskCancellationHandler {
      // Invariant: a loop calls the completion of each transfer that it is given exactly once.
      await withUnsafeContinuation { continuation in
        transfer.completion = { result in
          ended(result)
          continuation.resume(returning: result)
        }
        loop.start(transfer)
      }
    } onCancel: {
      loop.cancel(transfer)
    }
  }

  private var leastBusyLoop: TransferLoop {
    loops.dropFirst().reduce(loops[0]) { $1.load < $0.load ? $1 : $0 }
  }

  /// Body bytes received so far, over all loops.
  var receivedBytes: Int64 {
    loops.reduce(0) { $0 + $1.received.value }
  }

  /// A loop, for a task that waits for transfers: the caller's own, else each in turn.
  var executor: any TaskExecutor {
    loops.first { $0.isCurrent }
      ?? loops[Int(turn.wrappingAdd(1, ordering: .relaxed).newValue % UInt(loops.count))]
  }

  /// Ends every transfer as `cancelled`, and the loops.
  func stop() async {
    for loop in loops { await loop.stop() }
  }
}
