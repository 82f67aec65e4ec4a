import Glibc
import Synchronization

extension ContentStore {
  /// A name that a process holds in a store's folder for as long as it lives.
  ///
  /// Other processes ask by it whether what was promised under the name can still come. The system
  /// ends it with the process, however that ends; a sweep removes what is left.
  public final class Hold: Sendable {
    /// What is held.
    public let name: String
    private let store: ContentStore
    private let descriptor: Mutex<CInt?>

    fileprivate init(_ name: String, in store: ContentStore) throws(ContentStoreError) {
      self.name = name
      self.store = store
      descriptor = Mutex(try store.folder.hold(name))
    }

    deinit {
      end()
    }

    /// Takes the name again where the folder was removed meanwhile, and with it the name.
    ///
    /// - Throws: `storage-full`, `read-only`, `unavailable`; `busy` where it is held by another.
    public func renew() throws(ContentStoreError) {
      try descriptor.withLock { descriptor throws(ContentStoreError) in
        guard let old = descriptor else { return }
        let folder = try store.folder
        guard !folder.isHold(old, of: name) else { return }
        descriptor = try folder.hold(name)
        close(old)
      }
    }

    /// Gives the name up; it is not taken again.
    public func end() {
      descriptor.withLock { descriptor in
        guard let old = descriptor else { return }
        if let folder = try? store.folder, folder.isHold(old, of: name) {
          folder.removeHold(name)
        }
        close(old)
        descriptor = nil
      }
    }
  }

  /// Takes a name that nobody else has.
  ///
  /// What is pinned by those that ended goes from now on when its turn comes.
  ///
  /// - Parameter name: What a file can be called; a random one.
  /// - Returns: What is held until it ends or is let go.
  /// - Throws: `storage-full`, `read-only`, `unavailable`, `damaged`; `busy` also where it is held by
  ///   another.
  public func hold(_ name: String) throws(ContentStoreError) -> Hold {
    try releaseEndedPins()
    return try Hold(name, in: self)
  }

  /// Whether some process holds a name now.
  ///
  /// - Parameter name: As it was taken.
  /// - Returns: True as well where it cannot be told.
  public func isHeld(_ name: String) -> Bool {
    guard !name.isEmpty, !name.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "/") }) else {
      return false
    }
    return (try? folder)?.isHeld(name) ?? true
  }

  /// Lets go of what is pinned by those that are no more, in short steps.
  func releaseEndedPins() throws(ContentStoreError) {
    let step: Int64 = 128
    for holder in try withIndex({ index throws(ContentStoreError) in try index.holders() })
    where !isHeld(holder) {
      var count = step
      while count == step {
        count = try withIndex { index throws(ContentStoreError) in
          try index.unpin(holder, limit: step)
        }
      }
    }
  }
}
