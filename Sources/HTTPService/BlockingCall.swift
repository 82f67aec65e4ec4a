import Threading

/// Runs a call that blocks, once, on a thread of its own.
enum BlockingCall {
  /// Runs it, and comes back once it is done.
  static func run(_ call: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      let isStarted = BackgroundThread.start {
        call()
        continuation.resume()
      }
      if !isStarted {
        call()
        continuation.resume()
      }
    }
  }
}
