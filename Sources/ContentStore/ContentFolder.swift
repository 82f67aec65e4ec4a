import Cryptography
import Glibc

/// Which file a name stands for, so that another one under the same name is told apart.
struct FileIdentity: Hashable {
  let device: UInt64
  let number: UInt64
  let sizeBytes: Int64

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
    sizeBytes = Int64(status.st_size)
  }

  func isSameFile(as other: FileIdentity?) -> Bool {
    device == other?.device && number == other?.number
  }
}

/// The folder and the names in it; knows nothing of keys.
final class ContentFolder: Sendable {
  /// Absolute, without links.
  let path: String
  let descriptor: CInt

  static let indexName = "index.sqlite"
  static let asideName = "index.sqlite.aside"
  private static let lockName = "lock"
  private static let incomingSuffix = ".incoming"
  /// Marks the files as ours: a folder may hold other files that are named by a digest.
  private static let contentSuffix = ".content"

  /// Opens the folder; makes it, for this user only, and those above it where they are missing.
  init(_ path: String) throws(ContentStoreError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw ContentStoreError(.invalidArgument, "the store needs the path of a folder")
    }
    if let (folder, error) = FlatFolder.make(path, mode: 0o700) {
      throw ContentStoreError(systemError: error, "the folder \(folder) cannot be made")
    }
    let folder = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else {
      throw ContentStoreError(systemError: errno, "the folder \(path) cannot be opened")
    }
    // Absolute and without links: the index is opened by its path, maybe again and much later,
    // and SQLite follows no link.
    guard let resolved = realpath(path, nil) else {
      let number = errno
      close(folder)
      throw ContentStoreError(systemError: number, "the folder \(path) cannot be found")
    }
    defer { free(resolved) }
    descriptor = folder
    self.path = String(cString: resolved)
  }

  deinit {
    close(descriptor)
  }

  /// Whether a path that led here leads elsewhere by now, or nowhere.
  func hasGone(from path: String) -> Bool {
    var here = stat()
    var there = stat()
    guard fstat(descriptor, &here) == 0, stat(path, &there) == 0 else { return errno == ENOENT }
    return !FileIdentity(here).isSameFile(as: FileIdentity(there))
  }

  /// Where the index is.
  var indexPath: String {
    "\(path)/\(Self.indexName)"
  }

  /// The file that is the index now.
  var indexIdentity: FileIdentity? {
    identity(of: Self.indexName)
  }

  /// Waits until no other process opens or replaces the index; closing the descriptor ends it.
  func lockIndex(patience: Duration) throws(ContentStoreError) -> CInt {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
    let lock = openat(descriptor, Self.lockName, flags, 0o600)
    guard lock >= 0 else {
      throw ContentStoreError(systemError: errno, "no file can be made in the folder \(path)")
    }
    let end = ContinuousClock.now + patience
    while flock(lock, LOCK_EX | LOCK_NB) != 0 {
      let number = errno
      guard number == EWOULDBLOCK || number == EINTR, ContinuousClock.now < end else {
        close(lock)
        throw ContentStoreError(
          number == EWOULDBLOCK ? .busy : .unavailable,
          "the folder \(path) cannot be locked within \(patience)"
        )
      }
      usleep(2_000)
    }
    return lock
  }

  /// Sees to it that there is an index, if an empty one, which only this user can read.
  ///
  /// SQLite would make it readable for everybody, and gives its other files the same rights. It is
  /// made without being opened: closing any descriptor of it would end this process's locks on it.
  /// Where it cannot be made, opening it tells why.
  func reserveIndex() {
    mknodat(descriptor, Self.indexName, S_IFREG | 0o600, 0)
  }

  /// Gives the index another name, where it cannot harm; the one set aside before it is replaced.
  ///
  /// Only for whoever holds the lock.
  ///
  /// - Returns: The path of what was set aside.
  func setIndexAside() throws(ContentStoreError) -> String {
    // The log first: a new index must never find the log of an old one.
    for suffix in ["-wal", "-shm", "-journal"] {
      unlinkat(descriptor, Self.indexName + suffix, 0)
    }
    guard renameat(descriptor, Self.indexName, descriptor, Self.asideName) == 0 else {
      throw ContentStoreError(systemError: errno, "the damaged index cannot be set aside")
    }
    return "\(path)/\(Self.asideName)"
  }

  /// Makes an empty file that no sweep takes away while it is being filled.
  func makeIncomingFile() throws(ContentStoreError) -> IncomingFile {
    for _ in 0..<8 {
      let name = RandomName.make() + Self.incomingSuffix
      let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
      let file = openat(descriptor, name, flags, 0o600)
      guard file >= 0 else {
        if errno == EEXIST { continue }
        throw ContentStoreError(systemError: errno, "no file can be made in the folder \(path)")
      }
      let incoming = IncomingFile(descriptor: file, name: name, folder: self)
      // A sweep may have won the moment between making and locking: then the name is gone.
      var status = stat()
      if flock(file, LOCK_EX | LOCK_NB) == 0, fstat(file, &status) == 0, status.st_nlink > 0 {
        return incoming
      }
    }
    throw ContentStoreError(.unavailable, "no file can be kept in the folder \(path)")
  }

  /// Gives a whole file that lies elsewhere a name in this folder too.
  ///
  /// - Returns: Nothing where that cannot be, above all across file systems.
  func link(_ source: CInt, sizeBytes: Int64) -> IncomingFile? {
    var status = stat()
    // Its rights first: they go with it into a folder that others may look into.
    guard fstat(source, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      Int64(status.st_size) == sizeBytes, fchmod(source, 0o600) == 0
    else { return nil }
    let name = RandomName.make() + Self.incomingSuffix
    let path = "/proc/self/fd/\(source)"
    guard linkat(AT_FDCWD, path, descriptor, name, AT_SYMLINK_FOLLOW) == 0 else { return nil }
    let file = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else {
      remove(name: name)
      return nil
    }
    let incoming = IncomingFile(descriptor: file, name: name, folder: self)
    // Somebody else may be storing the same file, or a sweep have won the moment before the lock.
    guard flock(file, LOCK_EX | LOCK_NB) == 0,
      FileIdentity(status).isSameFile(as: identity(of: name))
    else { return nil }
    return incoming
  }

  /// Gives a whole file its final name; what bears it already has the same bytes.
  func publish(_ name: String, as digest: SHA256Digest) throws(ContentStoreError) {
    guard renameat(descriptor, name, descriptor, Self.contentName(digest)) == 0 else {
      throw ContentStoreError(systemError: errno, "the file cannot be given its name in the store")
    }
    // Where both names stood for the same file already, both are still there.
    remove(name: name)
  }

  /// Opens a content file for reading.
  ///
  /// - Returns: Nothing where there is no such regular file.
  func open(_ digest: SHA256Digest) -> (descriptor: CInt, identity: FileIdentity)? {
    let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let file = openat(descriptor, Self.contentName(digest), flags)
    guard file >= 0 else { return nil }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(file)
      return nil
    }
    return (file, FileIdentity(status))
  }

  /// The file that holds a content now.
  func identity(of digest: SHA256Digest) -> FileIdentity? {
    identity(of: Self.contentName(digest))
  }

  /// Removes a content file; only inside a change of the index, so that nobody puts it back
  /// at the same time.
  func remove(_ digest: SHA256Digest) {
    unlinkat(descriptor, Self.contentName(digest), 0)
  }

  /// Removes any file by its name.
  func remove(name: String) {
    unlinkat(descriptor, name, 0)
  }

  /// The digests of all content files.
  func digests() -> [SHA256Digest] {
    names().filter { $0.hasSuffix(Self.contentSuffix) }
      .compactMap { SHA256Digest(hexadecimal: String($0.dropLast(Self.contentSuffix.utf8.count))) }
  }

  /// Removes files that were being filled by processes that are no more.
  ///
  /// - Returns: How many.
  func removeAbandonedFiles() -> Int {
    var count = 0
    for name in names() where name.hasSuffix(Self.incomingSuffix) {
      let file = openat(descriptor, name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      guard file >= 0 else { continue }
      defer { close(file) }
      // The system frees the lock of a process that dies. A file that was renamed since it was
      // listed is whole, and is found by its new name only.
      guard flock(file, LOCK_EX | LOCK_NB) == 0, unlinkat(descriptor, name, 0) == 0 else {
        continue
      }
      count += 1
    }
    return count
  }

  func identity(of name: String) -> FileIdentity? {
    var status = stat()
    guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    return FileIdentity(status)
  }

  private static func contentName(_ digest: SHA256Digest) -> String {
    digest.hexadecimal + contentSuffix
  }

  /// The names in the folder, which is flat.
  func names() -> [String] {
    FlatFolder.names(in: descriptor)
  }
}
