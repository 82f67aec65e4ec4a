/// Entries that are not evicted for as long as somebody holds a name.
extension ContentIndex {
  /// The bytes of those entries.
  ///
  /// Costs the same however many there are: their sum is kept, and only what has expired and was
  /// not swept yet is summed up.
  ///
  /// - Parameters:
  ///   - key: Of an entry that does not count.
  ///   - now: Seconds since 1970; what has expired does not count.
  /// - Returns: With a content that several have as often as they have it.
  /// - Throws: As every use of the index.
  func pinnedBytes(besides key: String, at now: Int64) throws(ContentStoreError) -> Int64 {
    let sum = try connection.run(
      """
      SELECT bytes
        - (SELECT ifnull(sum(\(Self.weight(of: "entry"))), 0)
           FROM entry WHERE turn < 0 AND expires <= ?1)
        - (SELECT ifnull(sum(\(Self.weight(of: "entry"))), 0)
           FROM entry WHERE key = ?2 AND turn < 0 AND (expires IS NULL OR expires > ?1))
      FROM pinned
      """,
      .integer(now),
      .bytes(Array(key.utf8))
    ).first?.first
    guard case .integer(let bytes)? = sum, bytes >= 0 else { throw Self.damaged }
    return bytes
  }

  /// The names by which entries are held.
  func holders() throws(ContentStoreError) -> [String] {
    try connection.run(
      "SELECT DISTINCT holder FROM entry WHERE turn < 0 AND holder IS NOT NULL"
    ).compactMap { row in
      if case .text(let name)? = row.first { name } else { nil }
    }
  }

  /// Puts entries that a name holds at the end of the queue for eviction.
  ///
  /// - Parameters:
  ///   - holder: The name.
  ///   - limit: How many at most.
  /// - Returns: How many.
  /// - Throws: As every change of the index.
  func unpin(_ holder: String, limit: Int64) throws(ContentStoreError) -> Int64 {
    try connection.run(
      """
      UPDATE entry SET turn = (SELECT max(turn) + 1 FROM entry), holder = NULL
      WHERE id IN (SELECT id FROM entry WHERE turn < 0 AND holder = ? LIMIT ?)
      """,
      .text(holder),
      .integer(limit)
    )
    return connection.changes
  }

  /// What keeps the sum of pinned bytes, whoever changes the rows.
  ///
  /// A trigger sees a content's size since an entry comes after its content, and goes before it.
  static let pinning = [
    "ALTER TABLE entry ADD COLUMN holder TEXT",
    "CREATE INDEX pin_holder ON entry (holder) WHERE turn < 0",
    "CREATE INDEX pin_expires ON entry (expires) WHERE turn < 0",
    "CREATE TABLE pinned (bytes INTEGER NOT NULL)",
    """
    INSERT INTO pinned SELECT ifnull(sum(\(weight(of: "entry"))), 0) FROM entry WHERE turn < 0
    """,
    """
    CREATE TRIGGER pin_added AFTER INSERT ON entry WHEN new.turn < 0 BEGIN
      UPDATE pinned SET bytes = bytes + \(weight(of: "new"));
    END
    """,
    """
    CREATE TRIGGER pin_removed AFTER DELETE ON entry WHEN old.turn < 0 BEGIN
      UPDATE pinned SET bytes = bytes - \(weight(of: "old"));
    END
    """,
    """
    CREATE TRIGGER pin_changed AFTER UPDATE OF metadata, turn ON entry
    WHEN old.turn < 0 OR new.turn < 0 BEGIN
      UPDATE pinned SET bytes = bytes
        + (new.turn < 0) * \(weight(of: "new")) - (old.turn < 0) * \(weight(of: "old"));
    END
    """,
  ]

  /// What an entry takes if nobody shares its content, in SQL.
  private static func weight(of row: String) -> String {
    "(length(\(row).key) + length(\(row).metadata)"
      + " + ifnull((SELECT size FROM content WHERE content.digest = \(row).digest), 0))"
  }
}
