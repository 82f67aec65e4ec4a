/// Runs what blocks on a thread of its own.
///
/// The cooperative pool has as many threads as there are cores: a test that waits on one of them for
/// an answer that is made on them could wait for ever.
public enum OwnThread {
  /// Runs work that may block.
  public static func run<Result: Sendable>(
    _ work: @escaping @Sendable () -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      do throws(OriginError) {
        try JoinableThread { continuation.resume(returning: work()) }.detach()
      } catch {
        continuation.resume(returning: work())
      }
    }
  }
}

extension RawClient {
  /// Reads on a thread of its own; otherwise as `read`.
  ///
  /// - Parameters:
  ///   - text: What is enough.
  ///   - patience: How long to wait.
  /// - Returns: What came.
  public func answer(
    until text: String? = nil,
    patience: Duration = .seconds(5)
  ) async -> Reply {
    await OwnThread.run { self.read(until: text, patience: patience) }
  }
}
