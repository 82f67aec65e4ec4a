import Dispatch
import Synchronization

/// A fixed number of threads that do jobs which may block, in the order in which they come.
///
/// With one thread the jobs run one after the other.
public final class JobThreads: Sendable {
  private enum Job {
    case work(@Sendable () -> Void)
    case stop
  }

  private let jobs = Mutex<[Job]>([])
  private let available = DispatchSemaphore(value: 0)
  private let count: Int

  /// Starts the threads; makes nothing where the system has none left.
  ///
  /// - Parameters:
  ///   - count: How many; at least one.
  ///   - stackSize: Of each, in bytes.
  public init?(count: Int, stackSize: Int = 1 << 20) {
    self.count = max(1, count)
    for started in 0..<self.count {
      guard BackgroundThread.start(stackSize: stackSize, { [self] in serve() }) else {
        stop(threads: started)
        return nil
      }
    }
  }

  /// Has a job done after those submitted before.
  public func submit(_ job: @escaping @Sendable () -> Void) {
    add(.work(job))
  }

  /// Ends the threads once the jobs submitted before are done.
  public func stop() {
    stop(threads: count)
  }

  private func stop(threads: Int) {
    for _ in 0..<threads { add(.stop) }
  }

  private func add(_ job: Job) {
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
