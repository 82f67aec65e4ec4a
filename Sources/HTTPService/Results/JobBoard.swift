import Synchronization

/// Jobs of this process that are not finished: how many there may be, and how to end one.
final class JobBoard: Sendable {
  private struct State {
    var jobs: [String: Task<Void, Never>?] = [:]
    var isClosed = false
  }

  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) {
    self.limit = limit
  }

  /// How many are not finished.
  var count: Int {
    state.withLock { $0.jobs.count }
  }

  /// Whether a job is not finished; it is until its report has been written down.
  func contains(_ id: String) -> Bool {
    state.withLock { $0.jobs[id] != nil }
  }

  /// Takes a place for a job; false where there is none left.
  func reserve(_ id: String) -> Bool {
    state.withLock { state in
      guard !state.isClosed, state.jobs.count < limit else { return false }
      state.jobs[id] = .some(nil)
      return true
    }
  }

  /// Gives a place back for which there is no job after all.
  func release(_ id: String) {
    state.withLock { _ = $0.jobs.removeValue(forKey: id) }
  }

  /// Starts the job that a place was reserved for.
  func start(_ id: String, _ work: @escaping @Sendable () async -> Void) {
    state.withLock { state in
      guard state.jobs[id] != nil else { return }
      // The task gives the place back under this lock, so not before it is written down.
      state.jobs[id] = Task { [self] in
        await work()
        release(id)
      }
    }
  }

  /// Ends a job.
  func cancel(_ id: String) {
    state.withLock { $0.jobs[id] ?? nil }?.cancel()
  }

  /// Takes no more jobs.
  func close() {
    state.withLock { $0.isClosed = true }
  }

  /// Ends all of them.
  func cancelAll() {
    for job in state.withLock({ Array($0.jobs.values) }) { job?.cancel() }
  }
}
