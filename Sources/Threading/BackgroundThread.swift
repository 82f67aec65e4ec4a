import Glibc

/// A thread for work that blocks: loops over C libraries, decoding, reading from a pipe.
///
/// The cooperative pool must never wait, and Foundation's `Thread` costs tens of megabytes of
/// library; this is pthreads and nothing more.
public enum BackgroundThread {
  /// Starts a detached thread.
  ///
  /// - Parameters:
  ///   - stackSize: In bytes; decoders need more than the default of 1 MiB.
  ///   - work: Runs to its end on the new thread.
  /// - Returns: False where the system has no thread left.
  public static func start(
    stackSize: Int = 1 << 20,
    _ work: @escaping @Sendable () -> Void
  ) -> Bool {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, stackSize)
    // Invariant: the box is retained here and released by the thread, exactly once; where no
    // thread starts it is released below.
    let box = Unmanaged.passRetained(Work(work))
    var thread = pthread_t()
    let result = pthread_create(
      &thread,
      &attributes,
      { argument in
        guard let argument else { return nil }
        // Invariant: the argument is the box retained above.
        let work = Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
        work.run()
        return nil
      },
      box.toOpaque()
    )
    if result != 0 { box.release() }
    return result == 0
  }

  private final class Work: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }
}
