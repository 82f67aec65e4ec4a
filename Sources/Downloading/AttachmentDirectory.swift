public import AttachmentModel
import Cryptography
import Glibc
import Synchronization

/// A private folder (0700) that holds one run's attachments under names of our own.
///
/// Whoever makes it removes it: with `remove()`, or at the end of its life. A lock held on a file
/// inside tells a living owner from one that was killed, whose folder the next start sweeps.
public final class AttachmentDirectory: Sendable {
  /// Where the folder is.
  public let path: String

  private let descriptor: CInt
  private let lock: CInt
  private let gate = RemovalGate()
  private let lastFile = Atomic<Int>(0)
  private let quota: ByteCount?
  /// Counted only where there is a quota: every core would wait for the others to count.
  private let used = Atomic<Int64>(0)

  static let prefix = ".affix-"
  static let lockName = "lock"

  /// Makes a folder inside another, after sweeping away what dead owners left there.
  ///
  /// - Parameters:
  ///   - parent: An existing folder.
  ///   - quota: The most bytes that fetched files may take at once; default: no limit.
  /// - Throws: `storage-full`, which also stands for a folder that cannot be written.
  public init(in parent: String, quota: ByteCount? = nil) throws(DownloadError) {
    self.quota = quota
    let parentFolder = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard parentFolder >= 0 else {
      throw DownloadError(.storageFull, "the folder \(parent) cannot be opened: \(systemError())")
    }
    defer { close(parentFolder) }
    Self.sweep(parentFolder)
    for _ in 0..<8 {
      let name = Self.prefix + RandomName.make()
      guard mkdirat(parentFolder, name, 0o700) == 0 else {
        if errno == EEXIST { continue }
        throw DownloadError(.storageFull, "no folder can be made in \(parent): \(systemError())")
      }
      guard let (folder, lock) = Self.claim(name, in: parentFolder) else {
        unlinkat(parentFolder, name, AT_REMOVEDIR)
        continue
      }
      descriptor = folder
      self.lock = lock
      path = Self.path(of: name, in: parent)
      return
    }
    throw DownloadError(.storageFull, "no folder can be kept in \(parent): \(systemError())")
  }

  deinit {
    remove()
    close(lock)
    close(descriptor)
  }

  /// Opens a local file where it stands; nothing is copied, and it is never removed.
  ///
  /// Blocks for as long as the file system takes to open a file.
  ///
  /// - Throws: `unreadable` for anything but a regular file that may be read.
  public func adopt(_ path: String) throws(DownloadError) -> AttachmentFile {
    // O_NONBLOCK: opening a named pipe without a writer must not hang.
    let file = path.utf8.contains(0) ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else {
      throw DownloadError(
        .unreadable,
        errno == ENOENT
          ? "there is no such file\(Self.hint(at: path))"
          : "the file cannot be opened: \(systemError())"
      )
    }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      close(file)
      throw DownloadError(
        .unreadable,
        isFolder ? "this is a folder; name the files in it" : "this is not a regular file"
      )
    }
    return AttachmentFile(descriptor: file, size: ByteCount(Int64(status.st_size)), name: path)
  }

  private static func hint(at path: String) -> String {
    if path.first?.isWhitespace == true || path.last?.isWhitespace == true {
      return " with the white space around its name"
    }
    return path.first == "{" || path.first == "["
      ? "; a source is an address or a path, without JSON around it"
      : "; an address begins with http:// or https://"
  }

  /// Makes an empty file under a name of our own, for a transfer to write to.
  func createFile() throws(DownloadError) -> (descriptor: CInt, name: String) {
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    let name = "file-" + String(lastFile.wrappingAdd(1, ordering: .relaxed).newValue)
    let made = gate.pass { () -> (file: CInt, problem: CInt) in
      // The folder keeps others out; the file's own mode is what it has if it is kept.
      let file = name.withCString { openat(descriptor, $0, flags, 0o666) }
      return (file, file < 0 ? errno : 0)
    }
    guard let made else { throw .removedDirectory }
    guard made.file >= 0 else {
      let reason = String(cString: strerror(made.problem))
      throw DownloadError(.storageFull, "no file can be made: \(reason)")
    }
    return (made.file, name)
  }

  /// Takes room for bytes that are about to be stored; false where the quota is used up.
  func reserve(_ count: Int) -> Bool {
    guard let quota else { return true }
    let now = used.wrappingAdd(Int64(count), ordering: .relaxed).newValue
    guard now > quota.bytes else { return true }
    release(Int64(count))
    return false
  }

  /// Gives room back.
  func release(_ count: Int64) {
    guard quota != nil else { return }
    used.wrappingSubtract(count, ordering: .relaxed)
  }

  /// The quota, for messages.
  var quotaText: String {
    quota?.exactly ?? "the attachment directory"
  }

  /// Removes one file that `createFile` made.
  func discard(_ name: String) {
    unlinkat(descriptor, name, 0)
  }

  /// Removes a stored file early, so that a long run does not fill the disk.
  ///
  /// - Parameter file: A file of this directory; local files are left alone.
  public func discard(_ file: AttachmentFile) {
    if let name = name(of: file) { discard(name, file.storedSize) }
  }

  private func discard(_ name: String, _ size: ByteCount) {
    if unlinkat(descriptor, name, 0) == 0 { release(size.bytes) }
  }

  /// Leaves a stored file to whoever refers to it: it is removed when nobody does any more.
  ///
  /// - Parameter file: A file of this directory; a local file is left alone.
  /// - Returns: The same file; without a name where no descriptor is left for it.
  public func handOver(_ file: AttachmentFile) -> AttachmentFile {
    guard let name = name(of: file) else { return file }
    let copy = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else {
      discard(name, file.storedSize)
      return file
    }
    let stored = file.storedSize
    return AttachmentFile(
      descriptor: copy,
      size: file.size,
      storedSize: stored,
      name: name,
      in: path
    ) { [self] in
      discard(name, stored)
    }
  }

  /// Writes content into a new file of this directory; what was left out takes no room there.
  ///
  /// - Throws: `storage-full`.
  public func store(_ content: SparseBytes) throws(DownloadError) -> AttachmentFile {
    try StoredBody(in: self, holding: content).finish()
  }

  /// Removes the folder and everything in it; later calls do nothing.
  ///
  /// Files that are open stay readable; from then on, storing and keeping end as `cancelled`.
  public func remove() {
    if gate.close() { Self.removeFolder(descriptor, at: path) }
  }

  /// Whether the folder is gone.
  var isRemoved: Bool {
    gate.isClosed
  }

  /// The name of a file that lies in this directory.
  func name(of file: AttachmentFile) -> String? {
    file.folder == path ? file.name : nil
  }

  /// A path within a folder, which may be written with a slash at its end.
  static func path(of name: String, in folder: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// The open folder, for renaming out of it.
  var folder: CInt {
    descriptor
  }
}

extension DownloadError {
  /// The run ended while something was still under way.
  static let removedDirectory = DownloadError(
    .cancelled,
    "the attachment directory was removed"
  )
}

/// The words for the current `errno`.
func systemError() -> String {
  String(cString: strerror(errno))
}
