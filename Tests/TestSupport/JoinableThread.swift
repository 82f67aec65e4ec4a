import Glibc

/// A thread with a small stack that runs one closure, and can be waited for.
struct JoinableThread: Sendable {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private let identity: pthread_t

  /// Starts the thread.
  init(_ body: @escaping @Sendable () -> Void) throws(OriginError) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, 512 << 10)
    var identity = pthread_t()
    // Invariant: the retain made here is given back exactly once, by the new thread or, where
    // there is none, below.
    let work = Unmanaged.passRetained(Work(body))
    let outcome = pthread_create(
      &identity,
      &attributes,
      { pointer in
        guard let pointer else { return nil }
        // Invariant: the pointer is the retained Work above, which nobody else releases.
        let work = Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue()
        work.body()
        return nil
      },
      work.toOpaque()
    )
    guard outcome == 0 else {
      work.release()
      throw OriginError(description: "no thread: errno \(outcome)")
    }
    self.identity = identity
  }

  /// Waits for the end; to be called once.
  func join() {
    pthread_join(identity, nil)
  }

  /// Lets the thread end unobserved; to be called at most once, in place of `join`.
  func detach() {
    pthread_detach(identity)
  }
}
