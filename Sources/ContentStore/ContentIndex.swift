import Cryptography

/// The tables of keys and contents, and the changes that keep them and the files in step.
///
/// Files get and lose their names only inside a change of the index, which one process makes at a
/// time. A process that dies in between leaves a file without a row or a row without a file: the
/// first is swept, the second is found out at use.
struct ContentIndex {
  let connection: IndexConnection
  let folder: ContentFolder
  let identity: FileIdentity

  /// One entry as the table has it.
  struct Row {
    let id: Int64
    let digest: SHA256Digest
    let sizeBytes: Int64
    let metadata: [UInt8]
    let storedAt: Int64
    let usedAt: Int64
    let expiresAt: Int64?
  }

  /// The bytes of all contents, keys and metadata.
  func usedBytes() throws(ContentStoreError) -> Int64 {
    guard case .integer(let bytes)? = try connection.run("SELECT bytes FROM total").first?.first,
      bytes >= 0
    else { throw Self.damaged }
    return bytes
  }

  func row(for key: String) throws(ContentStoreError) -> Row? {
    let rows = try connection.run(
      """
      SELECT id, entry.digest, size, metadata, stored, used, expires
      FROM entry LEFT JOIN content ON content.digest = entry.digest WHERE key = ?
      """,
      .bytes(Array(key.utf8))
    )
    guard let row = rows.first else { return nil }
    guard row.count == 7, case .integer(let id) = row[0], case .text(let digits) = row[1],
      let digest = SHA256Digest(hexadecimal: digits), case .integer(let size) = row[2], size >= 0,
      case .bytes(let metadata) = row[3], case .integer(let stored) = row[4],
      case .integer(let used) = row[5]
    else { throw Self.damaged }
    var expires: Int64?
    if case .integer(let time) = row[6] { expires = time }
    return Row(
      id: id,
      digest: digest,
      sizeBytes: size,
      metadata: metadata,
      storedAt: stored,
      usedAt: used,
      expiresAt: expires
    )
  }

  /// The turn of those that are never evicted: it is before all others, and passed over.
  static let pinned: Int64 = -1

  /// Notes a use, which puts the entry at the end of the queue for eviction, if it stands in it.
  func touch(_ id: Int64, at now: Int64) throws(ContentStoreError) {
    try connection.run(
      """
      UPDATE entry SET used = ?,
        turn = CASE WHEN turn < 0 THEN turn ELSE (SELECT max(turn) + 1 FROM entry) END
      WHERE id = ?
      """,
      .integer(now),
      .integer(id)
    )
  }

  /// Adds an entry, and its content where that is new; inside a change.
  func add(_ entry: ContentStore.Entry, pinnedBy holder: String?) throws(ContentStoreError) {
    try connection.run(
      "INSERT OR IGNORE INTO content VALUES (?, ?)",
      .text(entry.digest.hexadecimal),
      .integer(entry.sizeBytes)
    )
    try connection.run(
      """
      INSERT INTO entry (key, digest, metadata, stored, used, turn, expires, holder)
      VALUES (?, ?, ?, ?, ?, ifnull(?, (SELECT ifnull(max(turn), 0) + 1 FROM entry)), ?, ?)
      """,
      .bytes(Array(entry.key.utf8)),
      .text(entry.digest.hexadecimal),
      .bytes(entry.metadata),
      .integer(entry.storedAt),
      .integer(entry.lastUsedAt),
      holder == nil ? .nothing : .integer(Self.pinned),
      entry.expiresAt.map { .integer($0) } ?? .nothing,
      holder.map { .text($0) } ?? .nothing
    )
  }

  /// Replaces metadata and expiry, where the entry still has the content that they describe.
  func update(
    _ key: String,
    _ digest: SHA256Digest,
    metadata: [UInt8],
    expiresAt: Int64?
  ) throws(ContentStoreError) -> Bool {
    try connection.run(
      "UPDATE entry SET metadata = ?, expires = ? WHERE key = ? AND digest = ?",
      .bytes(metadata),
      expiresAt.map { .integer($0) } ?? .nothing,
      .bytes(Array(key.utf8)),
      .text(digest.hexadecimal)
    )
    return connection.changes > 0
  }

  /// Removes an entry, and its content where no other entry has it; inside a change.
  func remove(_ id: Int64, _ digest: SHA256Digest) throws(ContentStoreError) {
    try connection.run("DELETE FROM entry WHERE id = ?", .integer(id))
    try connection.run(
      """
      DELETE FROM content
      WHERE digest = ?1 AND NOT EXISTS (SELECT 1 FROM entry WHERE digest = ?1)
      """,
      .text(digest.hexadecimal)
    )
    if connection.changes > 0 { folder.remove(digest) }
  }

  /// Removes a content and all its entries, where its file is still the one that was found bad.
  ///
  /// - Parameters:
  ///   - digest: The content.
  ///   - bad: The file that was looked at; nothing where there was none.
  /// - Returns: Whether it was removed.
  /// - Throws: As every change of the index.
  func removeContent(
    _ digest: SHA256Digest,
    ifStill bad: FileIdentity?
  ) throws(ContentStoreError) -> Bool {
    try connection.change { () throws(ContentStoreError) in
      let now = folder.identity(of: digest)
      guard now == nil ? bad == nil : bad?.isSameFile(as: now) == true else { return false }
      try connection.run("DELETE FROM entry WHERE digest = ?", .text(digest.hexadecimal))
      try connection.run("DELETE FROM content WHERE digest = ?", .text(digest.hexadecimal))
      let existed = connection.changes > 0
      folder.remove(digest)
      return existed
    }
  }

  /// Removes content files that no entry has.
  ///
  /// Inside a change: a file that another process is about to claim gets its name there too.
  ///
  /// - Parameter digests: What the files are named by.
  /// - Returns: How many it removed.
  /// - Throws: As every change of the index.
  @discardableResult
  func removeUnclaimed(
    _ digests: some Sequence<SHA256Digest>
  ) throws(ContentStoreError) -> Int {
    try connection.change { () throws(ContentStoreError) in
      var count = 0
      for digest in digests where try !has(digest) {
        folder.remove(digest)
        count += 1
      }
      return count
    }
  }

  /// Whether an entry has this content.
  private func has(_ digest: SHA256Digest) throws(ContentStoreError) -> Bool {
    try !connection.run(
      "SELECT 1 FROM content WHERE digest = ?",
      .text(digest.hexadecimal)
    ).isEmpty
  }

  /// Contents in the order of their digests, so that a long table is walked in short steps.
  func contents(
    after digest: String,
    limit: Int64
  ) throws(ContentStoreError) -> [(digest: SHA256Digest, sizeBytes: Int64)] {
    var contents: [(digest: SHA256Digest, sizeBytes: Int64)] = []
    for row in try connection.run(
      "SELECT digest, size FROM content WHERE digest > ? ORDER BY digest LIMIT ?",
      .text(digest),
      .integer(limit)
    ) {
      guard row.count == 2, case .text(let digits) = row[0],
        let digest = SHA256Digest(hexadecimal: digits), case .integer(let size) = row[1]
      else { throw Self.damaged }
      contents.append((digest, size))
    }
    return contents
  }

  static let damaged = ContentStoreError(
    .damaged,
    "the index of the store is damaged: a row holds what was never written"
  )
}

extension ContentIndex {
  /// Removes the entry whose turn it is: an expired one, or else the least recently used.
  ///
  /// Inside a change.
  ///
  /// - Parameters:
  ///   - now: Seconds since 1970.
  ///   - onlyExpired: Whether to leave alone what is still valid.
  /// - Returns: Whether it had expired; nothing where there is no entry to remove.
  /// - Throws: As every change of the index.
  func removeNext(at now: Int64, onlyExpired: Bool) throws(ContentStoreError) -> Bool? {
    let expired = try connection.run(
      "SELECT id, digest FROM entry WHERE expires <= ? ORDER BY expires LIMIT 1",
      .integer(now)
    ).first
    let row =
      if let expired {
        expired
      } else if onlyExpired {
        [IndexValue]?.none
      } else {
        try connection.run(
          "SELECT id, digest FROM entry WHERE turn >= 0 ORDER BY turn LIMIT 1"
        ).first
      }
    guard let row else { return nil }
    guard row.count == 2, case .integer(let id) = row[0], case .text(let digits) = row[1],
      let digest = SHA256Digest(hexadecimal: digits)
    else { throw Self.damaged }
    try remove(id, digest)
    return expired != nil
  }
}
