import Synchronization
import Threading
import TimeBudgets

/// The threads on which the blocking half of the line runs: inspecting, decoding, hashing, writing.
///
/// Work waits in line for a thread. Whoever hands work over waits for its result, so the line is
/// never longer than there are checks under way.
final class WorkerThreads: Sendable {
  /// How many threads there are.
  let count: Int
  private let threads: JobThreads
  private let running = Atomic(0)

  /// Starts the threads.
  ///
  /// - Throws: `storage-unavailable` where the system has none left.
  init(count: Int) throws(PipelineError) {
    // 8 MiB: libvips and its loaders keep rows of pixels on the stack.
    guard let threads = JobThreads(count: count, stackSize: 8 << 20) else {
      throw PipelineError(.storageUnavailable, "the system has no thread left for a worker")
    }
    self.count = count
    self.threads = threads
  }

  /// How many threads have work.
  var busy: Int {
    running.load(ordering: .relaxed)
  }

  /// Runs work on one of the threads.
  ///
  /// - Parameter work: May block; it is told how long it waited for a thread.
  /// - Returns: Its result.
  func run<Result: Sendable>(
    _ work: @escaping @Sendable (_ waited: Duration) -> Result
  ) async -> Result {
    let start = Stopwatch.system.now
    return await withCheckedContinuation { continuation in
      threads.submit { [self] in
        running.add(1, ordering: .relaxed)
        let result = work(Stopwatch.system.now - start)
        running.subtract(1, ordering: .relaxed)
        continuation.resume(returning: result)
      }
    }
  }

  /// Ends the threads once the work in line is done.
  func stop() {
    threads.stop()
  }
}
