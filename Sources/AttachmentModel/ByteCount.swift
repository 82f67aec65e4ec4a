/// A number of bytes, so that no limit is ever a bare integer.
public struct ByteCount: Sendable, Hashable, Comparable, Codable {
  /// The count itself, in bytes.
  public var bytes: Int64

  /// A count of exactly this many bytes.
  public init(_ bytes: Int64) {
    self.bytes = bytes
  }

  /// A count that is written as a plain number of bytes in JSON.
  public init(from decoder: any Decoder) throws {
    bytes = try decoder.singleValueContainer().decode(Int64.self)
  }

  /// Writes the plain number of bytes.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(bytes)
  }

  /// Multiples of 1,000 bytes.
  public static func kilobytes(_ count: Int64) -> ByteCount {
    ByteCount(count * 1_000)
  }

  /// Multiples of 1,000,000 bytes, which is how the platforms' "MB" are read throughout.
  public static func megabytes(_ count: Int64) -> ByteCount {
    ByteCount(count * 1_000_000)
  }

  /// Orders by size.
  public static func < (left: ByteCount, right: ByteCount) -> Bool {
    left.bytes < right.bytes
  }
}
