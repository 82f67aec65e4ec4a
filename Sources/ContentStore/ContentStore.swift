import Cryptography
import Glibc
import Synchronization

/// Files that outlive a run, by key: a folder with a quota that several processes share.
///
/// Contents are named by their SHA-256, and equal ones are kept once. What was used longest ago
/// goes first where the quota is short. A content is verified whenever it is opened, so damage is
/// a miss and never an answer. Every function blocks on files and locks: call them from a worker
/// thread, never from the cooperative pool.
///
/// Only people who may write to the folder can put anything into it; a folder that the store makes
/// is for its user alone.
public final class ContentStore: Sendable {
  /// Where the folder is: an absolute path without links.
  public let path: String
  /// The most that contents, keys and metadata may take; files on their way in come on top.
  public let quotaBytes: Int64

  let now: @Sendable () -> Int64
  private let patience: Duration
  private let state: Mutex<State>

  private struct State {
    /// Where the folder is looked for; a link that a person puts there is followed while it is there.
    let path: String
    var folder: ContentFolder
    var index: ContentIndex?
    var recovery: Recovery?

    /// The folder; where a person has removed or moved it, a new one in its place, without an index.
    mutating func presentFolder() throws(ContentStoreError) -> ContentFolder {
      if folder.hasGone(from: path) {
        folder = try ContentFolder(path)
        index = nil
      }
      return folder
    }
  }

  /// The longest key: 4,096 bytes in UTF-8.
  public static let longestKeyBytes = 4_096
  /// The most metadata an entry may have: 65,536 bytes.
  public static let mostMetadataBytes = 65_536

  /// The system's clock, in seconds since 1970.
  public static let systemTime: @Sendable () -> Int64 = { Int64(time(nil)) }

  /// Opens a store, or begins one; nothing is removed until something is inserted or swept.
  ///
  /// An index that is damaged, or another program's, is set aside and a new one begun:
  /// `recovery` tells.
  ///
  /// - Parameters:
  ///   - folder: The path of a folder, which is made where it is missing.
  ///   - quotaBytes: The most that contents, keys and metadata may take.
  ///   - patience: How long to wait for another process; default: 5 s.
  ///   - now: Tells the time in seconds since 1970; default: the system's clock.
  /// - Throws: `read-only`, `unavailable`, `storage-full`, `busy`; `invalid-argument` for a quota
  ///   below zero.
  public init(
    at folder: String,
    quotaBytes: Int64,
    patience: Duration = .seconds(5),
    now: @escaping @Sendable () -> Int64 = ContentStore.systemTime
  ) throws(ContentStoreError) {
    guard quotaBytes >= 0 else {
      throw ContentStoreError(
        .invalidArgument,
        "the quota is \(quotaBytes) bytes; it must not be less than nothing"
      )
    }
    let place = try ContentFolder(folder)
    let (index, recovery) = try ContentIndex.open(in: place, patience: patience)
    path = place.path
    self.quotaBytes = quotaBytes
    self.now = now
    self.patience = patience
    state = Mutex(State(path: place.path, folder: place, index: index, recovery: recovery))
  }

  /// The last time that this store had to begin a new index; nothing where it never had to.
  public var recovery: Recovery? {
    state.withLock { $0.recovery }
  }

  /// Where files are.
  var folder: ContentFolder {
    get throws(ContentStoreError) {
      try state.withLock { state throws(ContentStoreError) in try state.presentFolder() }
    }
  }

  /// What is stored under a key, which counts as a use.
  ///
  /// The content itself is not looked at: `open` does that.
  ///
  /// - Parameter key: As it was inserted.
  /// - Returns: Nothing where there is no entry, or it has expired.
  /// - Throws: `busy`, `storage-full`, `read-only`, `unavailable`, `damaged`.
  public func entry(for key: String) throws(ContentStoreError) -> Entry? {
    let now = now()
    return try withIndex { index throws(ContentStoreError) in
      // A miss takes no lock that others would wait for.
      guard let row = try index.row(for: key), row.expiresAt.map({ $0 > now }) ?? true else {
        return nil
      }
      try index.touch(row.id, at: now)
      return Entry(
        key: key,
        metadata: row.metadata,
        digest: row.digest,
        sizeBytes: row.sizeBytes,
        storedAt: row.storedAt,
        lastUsedAt: row.usedAt,
        expiresAt: row.expiresAt
      )
    }
  }

  /// Opens an entry's content after verifying its size and its SHA-256.
  ///
  /// A content that is missing or differs is removed with every entry that has it.
  ///
  /// - Parameter entry: What `entry(for:)` or `insert` returned.
  /// - Returns: A descriptor for reading, at the file's beginning, which the caller closes and
  ///   which stays good when the entry is evicted; nothing where the content is lost.
  /// - Throws: `busy`, `storage-full`, `read-only`, `unavailable`, `damaged`.
  public func open(_ entry: Entry) throws(ContentStoreError) -> CInt? {
    let found = try folder.open(entry.digest)
    if let found {
      if found.identity.sizeBytes == entry.sizeBytes,
        SHA256Hasher.digest(ofFile: found.descriptor) == entry.digest
      {
        return found.descriptor
      }
      close(found.descriptor)
    }
    _ = try withIndex { index throws(ContentStoreError) in
      try index.removeContent(entry.digest, ifStill: found?.identity)
    }
    return nil
  }

  /// Stores a file under a key, in place of what was there.
  ///
  /// A copy is made beside its final place and appears whole or not at all. To make room, expired
  /// entries go first, then the least recently used.
  ///
  /// - Parameters:
  ///   - fileDescriptor: An open regular file; the place in it is not moved.
  ///   - sizeBytes: How much of it, from its beginning.
  ///   - isFinal: Whether the file is the caller's own and nobody writes to it again: where it
  ///     lies on the store's file system it is then linked, and only its user can read it from
  ///     then on. Default: it is copied.
  ///   - key: At most 4,096 bytes in UTF-8.
  ///   - metadata: Whatever the caller wants back; at most 65,536 bytes.
  ///   - expiresAt: Seconds since 1970 from when the entry is none; default: never.
  /// - Returns: Nothing where the quota is smaller than the file with its key and metadata, or the
  ///   entry would have expired already: it is not stored, and what was under the key is gone.
  /// - Throws: `storage-full`, also where what is pinned leaves no room: what was under the key is
  ///   still there then; `unreadable` for a file that is shorter or cannot be read,
  ///   `invalid-argument`, `busy`, `read-only`, `unavailable`, `damaged`. Nothing is left behind.
  @discardableResult
  public func insert(
    fileDescriptor: CInt,
    sizeBytes: Int64,
    isFinal: Bool = false,
    for key: String,
    metadata: [UInt8] = [],
    expiresAt: Int64? = nil
  ) throws(ContentStoreError) -> Entry? {
    guard sizeBytes >= 0 else {
      throw ContentStoreError(.invalidArgument, "a size of \(sizeBytes) bytes")
    }
    return try insert(sizeBytes, for: key, metadata, expiresAt, pinnedBy: nil) {
      folder throws(ContentStoreError) in
      if isFinal, let linked = folder.link(fileDescriptor, sizeBytes: sizeBytes) { return linked }
      let incoming = try folder.makeIncomingFile()
      try incoming.fill(from: fileDescriptor, sizeBytes: sizeBytes)
      return incoming
    }
  }

  /// Stores bytes under a key, in place of what was there; otherwise as with a file.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - key: At most 4,096 bytes in UTF-8.
  ///   - metadata: Whatever the caller wants back; at most 65,536 bytes.
  ///   - expiresAt: Seconds since 1970 from when the entry is none; default: never.
  ///   - hold: Of this folder: for as long as it is held the entry stays until it expires, is
  ///     replaced or removed, however short the quota is; default: it goes when its turn comes.
  /// - Returns: Nothing where it is not stored, and what was under the key is gone.
  /// - Throws: `storage-full`, `invalid-argument`, `busy`, `read-only`, `unavailable`, `damaged`.
  @discardableResult
  public func insert(
    _ bytes: [UInt8],
    for key: String,
    metadata: [UInt8] = [],
    expiresAt: Int64? = nil,
    pinnedBy hold: Hold? = nil
  ) throws(ContentStoreError) -> Entry? {
    try insert(Int64(bytes.count), for: key, metadata, expiresAt, pinnedBy: hold) {
      folder throws(ContentStoreError) in
      let incoming = try folder.makeIncomingFile()
      try incoming.fill(with: bytes)
      return incoming
    }
  }

  private func insert(
    _ sizeBytes: Int64,
    for key: String,
    _ metadata: [UInt8],
    _ expiresAt: Int64?,
    pinnedBy hold: Hold?,
    _ bring: (ContentFolder) throws(ContentStoreError) -> IncomingFile
  ) throws(ContentStoreError) -> Entry? {
    try Self.check(key, metadata)
    let besides = Int64(key.utf8.count + metadata.count)
    let now = now()
    guard besides <= quotaBytes, sizeBytes <= quotaBytes - besides, now < expiresAt ?? .max else {
      try remove(for: key)
      return nil
    }
    let incoming = try bring(folder)
    let entry = Entry(
      key: key,
      metadata: metadata,
      digest: try incoming.digest(),
      sizeBytes: sizeBytes,
      storedAt: now,
      lastUsedAt: now,
      expiresAt: expiresAt
    )
    do throws(ContentStoreError) {
      try publish(incoming, as: entry, pinnedBy: hold)
    } catch {
      // The end of the change may have failed, after the file got its name.
      _ = try? withIndex { index throws(ContentStoreError) in
        try index.removeUnclaimed([entry.digest])
      }
      throw error
    }
    return entry
  }

  private func publish(
    _ incoming: IncomingFile,
    as entry: Entry,
    pinnedBy hold: Hold?
  ) throws(ContentStoreError) {
    let quota = quotaBytes
    try withIndex { index throws(ContentStoreError) in
      try index.connection.change { () throws(ContentStoreError) in
        // Before anything goes, which would be in vain.
        let pinned = try index.pinnedBytes(besides: entry.key, at: entry.storedAt)
        guard entry.bytes <= quota - pinned else {
          throw ContentStoreError(
            .storageFull,
            "\(pinned) of \(quota) bytes are taken by what must stay, and \(entry.bytes) are needed"
          )
        }
        if let old = try index.row(for: entry.key) { try index.remove(old.id, old.digest) }
        // Added first, so that a content which is shared is not evicted to make room for itself;
        // as the last one used, the new entry is the last whose turn it is.
        try index.add(entry, pinnedBy: hold?.name)
        while try index.usedBytes() > quota {
          guard try index.removeNext(at: entry.storedAt, onlyExpired: false) != nil else { break }
        }
        // Last, when nothing else can fail but the end of the change.
        try incoming.publish(as: entry.digest)
      }
    }
  }

  /// Replaces an entry's metadata and expiry, where it still has the same content.
  ///
  /// - Parameters:
  ///   - entry: The entry that the new metadata is about.
  ///   - metadata: At most 65,536 bytes.
  ///   - expiresAt: Seconds since 1970; default: never.
  /// - Returns: Whether it did: another process may have removed or replaced the entry.
  /// - Throws: `invalid-argument`, `busy`, `storage-full`, `read-only`, `unavailable`, `damaged`.
  @discardableResult
  public func updateMetadata(
    of entry: Entry,
    to metadata: [UInt8],
    expiresAt: Int64? = nil
  ) throws(ContentStoreError) -> Bool {
    try Self.check(entry.key, metadata)
    return try withIndex { index throws(ContentStoreError) in
      try index.update(entry.key, entry.digest, metadata: metadata, expiresAt: expiresAt)
    }
  }

  /// Removes the entry under a key, and its content where no other entry has it.
  ///
  /// - Parameter key: As it was inserted; one that is not there is no error.
  /// - Throws: `busy`, `storage-full`, `read-only`, `unavailable`, `damaged`.
  public func remove(for key: String) throws(ContentStoreError) {
    try withIndex { index throws(ContentStoreError) in
      guard try index.row(for: key) != nil else { return }
      try index.connection.change { () throws(ContentStoreError) in
        guard let row = try index.row(for: key) else { return }
        try index.remove(row.id, row.digest)
      }
    }
  }

  /// The bytes of all contents, keys and metadata: what is held against the quota.
  ///
  /// - Throws: `busy`, `unavailable`, `damaged`.
  public func usedBytes() throws(ContentStoreError) -> Int64 {
    try withIndex { index throws(ContentStoreError) in try index.usedBytes() }
  }

  /// Runs work on the index, one caller at a time; where it turns out to be damaged or gone, a
  /// new one is begun and the work done again.
  func withIndex<Result: Sendable>(
    _ work: (ContentIndex) throws(ContentStoreError) -> Result
  ) throws(ContentStoreError) -> Result {
    try state.withLock { state throws(ContentStoreError) in
      // Another process may have set the index aside, or a person may have removed it.
      let folder = try state.presentFolder()
      if state.index?.identity.isSameFile(as: folder.indexIdentity) == false {
        state.index = nil
      }
      let index = try current(&state, suspect: nil)
      do throws(ContentStoreError) {
        return try work(index)
      } catch {
        guard error.code == .damaged else { throw error }
        state.index = nil
        return try work(current(&state, suspect: (index.identity, error.message)))
      }
    }
  }

  private func current(
    _ state: inout State,
    suspect: (identity: FileIdentity, reason: String)?
  ) throws(ContentStoreError) -> ContentIndex {
    if let index = state.index { return index }
    let opened = try ContentIndex.open(in: state.folder, patience: patience, suspect: suspect)
    state.index = opened.index
    if let recovery = opened.recovery { state.recovery = recovery }
    return opened.index
  }

  private static func check(_ key: String, _ metadata: [UInt8]) throws(ContentStoreError) {
    guard key.utf8.count <= longestKeyBytes else {
      throw ContentStoreError(
        .invalidArgument,
        "a key of \(key.utf8.count) bytes; at most \(longestKeyBytes) are kept"
      )
    }
    guard metadata.count <= mostMetadataBytes else {
      throw ContentStoreError(
        .invalidArgument,
        "metadata of \(metadata.count) bytes; at most \(mostMetadataBytes) are kept"
      )
    }
  }
}
