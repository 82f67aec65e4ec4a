import Glibc

/// Why the store could not do what it was asked.
public struct ContentStoreError: Error, Sendable, Hashable {
  /// The closed set of reasons.
  public enum Code: String, Sendable, Hashable, Codable, CaseIterable {
    /// A key, metadata or size out of bounds.
    case invalidArgument = "invalid-argument"
    /// The folder or a file in it cannot be made, opened or read.
    case unavailable
    /// The folder, or the index in it, may not be written.
    case readOnly = "read-only"
    /// No room on the disk, or the disk quota is used up.
    case storageFull = "storage-full"
    /// Another process holds the index longer than the store's patience.
    case busy
    /// The file to be stored cannot be read, or is shorter than it was said to be.
    case unreadable
    /// The index is damaged, or another program's, and no new one could be begun.
    case damaged
  }

  /// Which reason.
  public let code: Code
  /// What happened, with value and limit, in one line.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// What the system refused, by its error number, which decides the code.
  init(systemError number: CInt, _ what: String, otherwise code: Code = .unavailable) {
    let words = String(cString: strerror(number))
    switch number {
    case ENOSPC, EDQUOT: self.init(.storageFull, "\(what): \(words)")
    case EROFS, EACCES, EPERM: self.init(.readOnly, "\(what): \(words)")
    default: self.init(code, "\(what): \(words)")
    }
  }
}
