import Glibc
import Synchronization

/// A thread for calls that may block for long: reads of a terminal, writes to a full pipe, waiting
/// for a signal.
///
/// The cooperative pool has only as many threads as there are cores, and none to spare for that.
/// Jobs run one after the other, in the order in which they were submitted. The thread lives as
/// long as the process.
final class BlockingThread: Sendable {
  private let jobs = Mutex<[@Sendable () -> Void]>([])
  // Invariant: allocated and initialized once in init, never moved or freed, since the thread
  // waits on it until the process ends; sem_post and sem_wait may be called from any thread.
  private nonisolated(unsafe) let submissions: UnsafeMutablePointer<sem_t>

  /// Starts the thread.
  ///
  /// It has the signal mask of the caller.
  init() {
    // Invariant: one element, initialized by sem_init before anyone else sees it.
    submissions = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    sem_init(submissions, 0, 0)
    var thread = pthread_t()
    let started = pthread_create(
      &thread,
      nil,
      { argument in
        // Invariant: argument is the retained reference passed below, taken over exactly once.
        if let argument { Unmanaged<BlockingThread>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      },
      Unmanaged.passRetained(self).toOpaque()
    )
    // Without a thread there is neither input nor output, and no way to say so.
    precondition(started == 0, "no thread could be started")
    pthread_detach(thread)
  }

  /// Has a job done after those submitted before.
  func submit(_ job: @escaping @Sendable () -> Void) {
    jobs.withLock { $0.append(job) }
    sem_post(submissions)
  }

  private func run() {
    while true {
      while sem_wait(submissions) != 0 {}
      let next = jobs.withLock { $0.isEmpty ? [] : [$0.removeFirst()] }
      for job in next { job() }
    }
  }
}
