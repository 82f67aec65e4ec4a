import Glibc

extension ContentIndex {
  /// `AfxC`, by which an index of this kind is known.
  private static let applicationID: Int64 = 0x4166_7843
  private static let version: Int64 = 1

  /// Opens the index of a folder, or begins one.
  ///
  /// - Parameters:
  ///   - folder: Where it is.
  ///   - patience: How long to wait for other processes.
  ///   - suspect: An index in which damage was met; it is set aside if it is still there.
  /// - Returns: The index, and what was set aside to begin it.
  /// - Throws: `read-only`, `unavailable`, `storage-full`, `busy`, `damaged`.
  static func open(
    in folder: ContentFolder,
    patience: Duration,
    suspect: (identity: FileIdentity, reason: String)? = nil
  ) throws(ContentStoreError) -> (index: ContentIndex, recovery: ContentStore.Recovery?) {
    // One process at a time: two that meet the same damage must not set aside each other's repair.
    let lock = try folder.lockIndex(patience: patience)
    defer { close(lock) }
    var reason: String?
    if let suspect, suspect.identity.isSameFile(as: folder.indexIdentity) {
      reason = suspect.reason
    } else {
      do throws(ContentStoreError) {
        return (try attempt(in: folder, patience: patience), nil)
      } catch {
        guard error.code == .damaged else { throw error }
        reason = error.message
      }
    }
    let path = try folder.setIndexAside()
    let recovery = ContentStore.Recovery(reason: reason ?? "", setAside: path)
    return (try attempt(in: folder, patience: patience), recovery)
  }

  private static func attempt(
    in folder: ContentFolder,
    patience: Duration
  ) throws(ContentStoreError) -> ContentIndex {
    folder.reserveIndex()
    let connection = try IndexConnection(path: folder.indexPath, patience: patience)
    // Looked at before anything is written: another program's database stays as it is.
    let isNew = try connection.run("SELECT 1 FROM sqlite_master LIMIT 1").isEmpty
    if !isNew {
      let id = try connection.run("PRAGMA application_id").first?.first
      let version = try connection.run("PRAGMA user_version").first?.first
      guard id == .integer(applicationID), version == .integer(Self.version) else {
        throw ContentStoreError(.damaged, "the index of the store is another program's")
      }
    }
    try connection.run("PRAGMA trusted_schema = OFF")
    try connection.run("PRAGMA cell_size_check = ON")
    try connection.run("PRAGMA journal_mode = WAL")
    // A power failure may lose the last changes, never the index: for a store that can be filled
    // again, waiting for the disk at every change would be too dear.
    try connection.run("PRAGMA synchronous = NORMAL")
    try connection.run("PRAGMA journal_size_limit = 4194304")
    if isNew {
      try connection.change { () throws(ContentStoreError) in
        for statement in schema + pinning { try connection.run(statement) }
      }
    } else if try connection.run("SELECT 1 FROM sqlite_master WHERE name = 'pinned'").isEmpty {
      // Begun by a program that kept no sum: it finds all that it knows, and keeps the sum as well.
      try connection.change { () throws(ContentStoreError) in
        for statement in pinning { try connection.run(statement) }
      }
    }
    guard let identity = folder.indexIdentity else {
      throw ContentStoreError(.unavailable, "the index of the store has gone")
    }
    return ContentIndex(connection: connection, folder: folder, identity: identity)
  }

  /// The tables, and what keeps their sum.
  ///
  /// `turn` orders the uses: a clock may be set back, and two uses may share a second. Below zero it
  /// never comes. `total` spares summing up; triggers keep it, whoever changes the rows.
  private static let schema = [
    "PRAGMA application_id = \(applicationID)",
    "PRAGMA user_version = \(version)",
    """
    CREATE TABLE content (
      digest TEXT NOT NULL PRIMARY KEY,
      size INTEGER NOT NULL CHECK (size >= 0)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE entry (
      id INTEGER PRIMARY KEY,
      key BLOB NOT NULL UNIQUE,
      digest TEXT NOT NULL,
      metadata BLOB NOT NULL,
      stored INTEGER NOT NULL,
      used INTEGER NOT NULL,
      turn INTEGER NOT NULL,
      expires INTEGER
    )
    """,
    "CREATE INDEX entry_digest ON entry (digest)",
    "CREATE INDEX entry_turn ON entry (turn)",
    "CREATE INDEX entry_expires ON entry (expires) WHERE expires IS NOT NULL",
    "CREATE TABLE total (bytes INTEGER NOT NULL)",
    "INSERT INTO total VALUES (0)",
    """
    CREATE TRIGGER content_added AFTER INSERT ON content BEGIN
      UPDATE total SET bytes = bytes + new.size;
    END
    """,
    """
    CREATE TRIGGER content_removed AFTER DELETE ON content BEGIN
      UPDATE total SET bytes = bytes - old.size;
    END
    """,
    """
    CREATE TRIGGER entry_added AFTER INSERT ON entry BEGIN
      UPDATE total SET bytes = bytes + length(new.key) + length(new.metadata);
    END
    """,
    """
    CREATE TRIGGER entry_removed AFTER DELETE ON entry BEGIN
      UPDATE total SET bytes = bytes - length(old.key) - length(old.metadata);
    END
    """,
    """
    CREATE TRIGGER entry_changed AFTER UPDATE OF metadata ON entry BEGIN
      UPDATE total SET bytes = bytes - length(old.metadata) + length(new.metadata);
    END
    """,
  ]
}
