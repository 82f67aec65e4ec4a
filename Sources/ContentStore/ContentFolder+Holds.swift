import Glibc

/// Files that processes hold for as long as they live.
extension ContentFolder {
  private static let holdSuffix = ".hold"
  private static let holdFlags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK

  /// Makes a file and locks it, which the system undoes when this process ends.
  ///
  /// - Returns: The descriptor that has the lock; closing it ends it.
  func hold(_ name: String) throws(ContentStoreError) -> CInt {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
    for _ in 0..<8 {
      let file = openat(descriptor, name + Self.holdSuffix, flags, 0o600)
      guard file >= 0 else {
        throw ContentStoreError(systemError: errno, "no file can be made in the folder \(path)")
      }
      // A sweep may have won the moment between making and locking: then the name is gone.
      var status = stat()
      if flock(file, LOCK_EX | LOCK_NB) == 0, fstat(file, &status) == 0, status.st_nlink > 0 {
        return file
      }
      close(file)
      usleep(2_000)
    }
    throw ContentStoreError(.busy, "the name \(name) is held already in the folder \(path)")
  }

  /// Whether a descriptor is of the file that stands for a hold now.
  func isHold(_ file: CInt, of name: String) -> Bool {
    var status = stat()
    guard fstat(file, &status) == 0 else { return false }
    return FileIdentity(status).isSameFile(as: identity(of: name + Self.holdSuffix))
  }

  /// Whether some process holds a name; true where that cannot be told.
  func isHeld(_ name: String) -> Bool {
    let file = openat(descriptor, name + Self.holdSuffix, Self.holdFlags)
    guard file >= 0 else { return errno != ENOENT }
    defer { close(file) }
    // Shared, so that those who ask at the same time do not take each other for the holder.
    return flock(file, LOCK_SH | LOCK_NB) != 0
  }

  /// Removes what stood for holds of processes that are no more.
  func removeEndedHolds() {
    for name in names() where name.hasSuffix(Self.holdSuffix) {
      let file = openat(descriptor, name, Self.holdFlags)
      guard file >= 0 else { continue }
      if flock(file, LOCK_SH | LOCK_NB) == 0 { unlinkat(descriptor, name, 0) }
      close(file)
    }
  }

  /// Removes what stands for a hold of this process.
  func removeHold(_ name: String) {
    remove(name: name + Self.holdSuffix)
  }
}
