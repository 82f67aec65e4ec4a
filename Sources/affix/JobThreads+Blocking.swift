import Threading

extension JobThreads {
  /// A thread for calls that may block for long: reads of a terminal, writes to a full pipe.
  ///
  /// The cooperative pool has only as many threads as there are cores, and none to spare for that.
  static func forBlockingCalls() -> JobThreads {
    guard let threads = JobThreads(count: 1) else {
      // Without a thread there is neither input nor output.
      preconditionFailure("the system has no thread left")
    }
    return threads
  }
}
