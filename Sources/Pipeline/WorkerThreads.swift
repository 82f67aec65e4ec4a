import Threading
import TimeBudgets

/// The threads on which the blocking half of the line runs: inspecting, decoding, hashing, writing.
///
/// Work waits in line for a thread. Whoever hands work over waits for its result, so the line is
/// never longer than there are checks under way.
final class WorkerThreads: Sendable {
  private let threads: JobThreads

  /// Starts the threads.
  ///
  /// - Throws: `storage-unavailable` where the system has none left.
  init(count: Int) throws(PipelineError) {
    // 8 MiB: libvips and its loaders keep rows of pixels on the stack.
    guard let threads = JobThreads(count: count, stackSize: 8 << 20) else {
      throw PipelineError(.storageUnavailable, "the system has no thread left for a worker")
    }
    self.threads = threads
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
      threads.submit { continuation.resume(returning: work(Stopwatch.system.now - start)) }
    }
  }

  /// Ends the threads once the work in line is done.
  func stop() {
    threads.stop()
  }
}
