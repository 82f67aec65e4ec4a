import Dispatch
import Synchronization
import Threading
import TimeBudgets

/// A fixed number of threads for work that blocks: inspecting, decoding, hashing, writing.
///
/// Work waits in line for a thread. Whoever hands work over waits for its result, so the line is
/// never longer than there are checks under way.
final class WorkerThreads: Sendable {
  private enum Job {
    case work(@Sendable () -> Void)
    case stop
  }

  private let jobs = Mutex<[Job]>([])
  private let available = DispatchSemaphore(value: 0)
  private let count: Int

  /// Starts the threads.
  ///
  /// - Throws: `storage-unavailable` where the system has none left.
  init(count: Int) throws(PipelineError) {
    self.count = max(1, count)
    for started in 0..<self.count {
      // 8 MiB: libvips and its loaders keep rows of pixels on the stack.
      let isRunning = BackgroundThread.start(stackSize: 8 << 20) { [self] in serve() }
      guard isRunning else {
        stop(threads: started)
        throw PipelineError(.storageUnavailable, "the system has no thread left for a worker")
      }
    }
  }

  /// Runs work on one of the threads.
  ///
  /// - Parameter work: May block.
  /// - Returns: Its result, and how long it waited for a thread.
  func run<Result: Sendable>(
    _ work: @escaping @Sendable (_ waited: Duration) -> Result
  ) async -> Result {
    let start = Stopwatch.system.now
    return await withCheckedContinuation { continuation in
      submit(.work { continuation.resume(returning: work(Stopwatch.system.now - start)) })
    }
  }

  /// Ends the threads once the work in line is done.
  func stop() {
    stop(threads: count)
  }

  private func stop(threads: Int) {
    for _ in 0..<threads { submit(.stop) }
  }

  private func submit(_ job: Job) {
    jobs.withLock { $0.append(job) }
    available.signal()
  }

  private func serve() {
    while true {
      available.wait()
      switch jobs.withLock({ $0.removeFirst() }) {
      case .work(let run): run()
      case .stop: return
      }
    }
  }
}
