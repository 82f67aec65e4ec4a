public import Cryptography

extension ContentStore {
  /// What is known about a stored file, without its content.
  public struct Entry: Sendable, Hashable {
    /// What it is found by.
    public let key: String
    /// What the caller gave along.
    public let metadata: [UInt8]
    /// The content's SHA-256.
    public let digest: SHA256Digest
    /// The content's size.
    public let sizeBytes: Int64
    /// When it was inserted, in seconds since 1970.
    public let storedAt: Int64
    /// When it was used before this look-up, in seconds since 1970.
    public let lastUsedAt: Int64
    /// From when it is no entry any more, in seconds since 1970; nothing where that is never.
    public let expiresAt: Int64?

    /// What is held against the quota, where no other entry has the same content.
    var bytes: Int64 {
      Int64(key.utf8.count + metadata.count) + sizeBytes
    }
  }

  /// A new index was begun because the old one could not be used; what was stored is lost.
  public struct Recovery: Sendable, Hashable {
    /// What was wrong, in one line.
    public let reason: String
    /// The path of the old index.
    public let setAside: String
  }
}
