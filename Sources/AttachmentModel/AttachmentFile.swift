import Glibc

/// An open file that holds an attachment's bytes.
///
/// Owns its descriptor and closes it when the last reference goes. Whether there is a name in the
/// file system, and who removes it, is the attachment directory's business.
public final class AttachmentFile: Sendable {
  /// A readable descriptor of a regular file.
  public let descriptor: CInt
  /// The size when the file was stored or opened.
  public let size: ByteCount
  /// How many of its bytes take room on the disk; less than its size where some were left out.
  public let storedSize: ByteCount
  /// The folder it is stored in; nothing where `name` is the whole path.
  public let folder: String?
  /// Its name in that folder.
  public let name: String

  private let whenClosed: (@Sendable () -> Void)?

  /// Takes over an open descriptor.
  ///
  /// - Parameters:
  ///   - descriptor: Readable, of a regular file.
  ///   - size: The file's.
  ///   - storedSize: How many of its bytes take room on the disk; default: all.
  ///   - name: Where it is stored: a name in the folder, or a path where there is none.
  ///   - folder: The folder it is stored in; default: none.
  ///   - whenClosed: Called once the last reference is gone; default: nothing is.
  public init(
    descriptor: CInt,
    size: ByteCount,
    storedSize: ByteCount? = nil,
    name: String,
    in folder: String? = nil,
    whenClosed: (@Sendable () -> Void)? = nil
  ) {
    self.descriptor = descriptor
    self.size = size
    self.storedSize = storedSize ?? size
    self.name = name
    self.folder = folder
    self.whenClosed = whenClosed
  }

  /// Where it is stored: inside an attachment directory for what was fetched, else as given.
  public var path: String {
    folder.map { "\($0)/\(name)" } ?? name
  }

  /// The whole of it.
  public var slice: FileSlice {
    FileSlice(descriptor: descriptor, size: size)
  }

  deinit {
    close(descriptor)
    whenClosed?()
  }
}
