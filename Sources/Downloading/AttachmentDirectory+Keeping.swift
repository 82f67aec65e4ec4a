public import AttachmentModel
import ContentStore
import Glibc

extension AttachmentDirectory {
  /// Keeps a file in a folder under a final name, replacing what bears it already.
  ///
  /// A file of this directory is renamed where both lie on one file system; anything else is
  /// copied beside its final place first, so that the name never shows half a file. Blocks.
  ///
  /// - Parameters:
  ///   - file: A stored or local file.
  ///   - name: A name of our own making, without a slash.
  ///   - output: An existing folder.
  /// - Returns: The path of the kept file.
  /// - Throws: `storage-full`; `cancelled` once the directory is removed.
  public func keep(
    _ file: AttachmentFile,
    as name: String,
    in output: String
  ) throws(DownloadError) -> String {
    let target = Self.path(of: name, in: output)
    if let stored = self.name(of: file), renameat(folder, stored, AT_FDCWD, target) == 0 {
      return target
    }
    let (copy, temporary) = try createFile()
    defer {
      close(copy)
      discard(temporary)
    }
    if let problem = Self.copy(file, to: copy) {
      throw DownloadError(.storageFull, "the file cannot be kept: \(problem)")
    }
    guard renameat(folder, temporary, AT_FDCWD, target) == 0 else {
      let problem = systemError()
      if isRemoved { throw .removedDirectory }
      throw DownloadError(.storageFull, "the file cannot be kept: \(problem)")
    }
    return target
  }

  private static func copy(_ file: AttachmentFile, to target: CInt) -> String? {
    var offset: off_t = 0
    while offset < off_t(file.size.bytes) {
      let count = sendfile(target, file.descriptor, &offset, Int(file.size.bytes) - Int(offset))
      if count == 0 { break }
      if count < 0, errno != EINTR { return systemError() }
    }
    return nil
  }
}

extension AttachmentDirectory {
  /// Makes a folder and those above it, where they are missing.
  ///
  /// - Parameter path: Absolute or relative.
  /// - Throws: `storage-full` where one cannot be made.
  public static func makeFolder(_ path: String) throws(DownloadError) {
    if let (folder, error) = FlatFolder.make(path, mode: 0o777) {
      let words = String(cString: strerror(error))
      throw DownloadError(.storageFull, "the folder \(folder) cannot be made: \(words)")
    }
  }
}
