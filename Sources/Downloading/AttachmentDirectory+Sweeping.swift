import ContentStore
import Glibc

extension AttachmentDirectory {
  /// Locks a folder that was just made, so that no sweep takes it for a dead one.
  ///
  /// A sweep may still have won the moment between making and locking: then the lock file has no
  /// name any more, and the caller makes another folder.
  static func claim(_ name: String, in parent: CInt) -> (folder: CInt, lock: CInt)? {
    let folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    guard folder >= 0 else { return nil }
    let lock = openat(folder, lockName, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    var status = stat()
    guard lock >= 0, flock(lock, LOCK_EX) == 0, fstat(lock, &status) == 0, status.st_nlink > 0
    else {
      if lock >= 0 { close(lock) }
      close(folder)
      return nil
    }
    return (folder, lock)
  }

  /// Removes the folders of owners that died without removing them.
  static func sweep(_ parent: CInt) {
    for name in FlatFolder.names(in: parent) where name.hasPrefix(prefix) {
      let folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
      guard folder >= 0 else { continue }
      defer { close(folder) }
      var status = stat()
      guard fstat(folder, &status) == 0, status.st_uid == geteuid() else { continue }
      let lock = openat(folder, lockName, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
      if lock >= 0 {
        defer { close(lock) }
        if flock(lock, LOCK_EX | LOCK_NB) == 0 { empty(folder, of: name, in: parent) }
      } else if errno == ENOENT, time(nil) - status.st_mtim.tv_sec > 60 {
        // Killed between making the folder and its lock, long enough ago to be sure.
        empty(folder, of: name, in: parent)
      }
    }
  }

  /// Removes an open folder by its path.
  static func removeFolder(_ folder: CInt, at path: String) {
    for name in FlatFolder.names(in: folder) { unlinkat(folder, name, 0) }
    rmdir(path)
  }

  private static func empty(_ folder: CInt, of name: String, in parent: CInt) {
    for entry in FlatFolder.names(in: folder) where entry != lockName { unlinkat(folder, entry, 0) }
    unlinkat(folder, lockName, 0)
    unlinkat(parent, name, AT_REMOVEDIR)
  }
}
