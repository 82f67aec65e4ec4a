import Synchronization

/// Jobs of this process that are not finished: how many there may be, and how to end one.
final class JobBoard: Sendable {
  private struct State {
    var jobs: [String: Task<Void, Never>?] = [:]
    /// Those whose results nobody wants.
    var deleted: Set<String> = []
    var isClosed = false
  }

  /// How many there may be.
  let limit: Int
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
    state.withLock { state in
      state.jobs[id] = nil
      state.deleted.remove(id)
    }
  }

  /// Starts the job that a place was reserved for.
  ///
  /// - Parameters:
  ///   - id: Of the place.
  ///   - shelf: From where it is removed once it is done, where it was deleted meanwhile.
  ///   - work: The job.
  func start(
    _ id: String,
    storingOn shelf: ResultShelf,
    _ work: @escaping @Sendable () async -> Void
  ) {
    state.withLock { state in
      guard state.jobs[id] != nil else { return }
      // The task gives the place back under this lock, so not before it is written down.
      state.jobs[id] = Task { [self] in
        await work()
        while self.state.withLock({ $0.deleted.remove(id) }) != nil {
          await shelf.remove(id)
        }
        release(id)
      }
    }
  }

  /// Ends a job, if there is one, and sees to it that nothing stays of it.
  ///
  /// It may be storing its results just now.
  func delete(_ id: String) {
    state.withLock { state in
      if state.jobs[id] != nil { state.deleted.insert(id) }
      return state.jobs[id] ?? nil
    }?.cancel()
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
