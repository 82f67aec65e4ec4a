/// A run of bytes in an open regular file: all of it, or a picture that lies inside it.
///
/// Owns nothing: whoever opened the descriptor keeps it open for as long as the slice is read.
public struct FileSlice: Sendable, Hashable {
  /// A readable descriptor; it is read with `pread`, so its own position stays.
  public var descriptor: CInt
  /// Where the run begins, in bytes from the file's beginning.
  public var offset: Int64
  /// How long it is; what lies behind is not read.
  public var size: ByteCount

  /// A run of an open file.
  public init(descriptor: CInt, offset: Int64 = 0, size: ByteCount) {
    self.descriptor = descriptor
    self.offset = max(0, offset)
    self.size = size
  }
}
