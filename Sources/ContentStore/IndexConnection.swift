import CSQLite
import Glibc

/// What a parameter or a column of the index holds.
enum IndexValue: Hashable {
  case integer(Int64)
  case text(String)
  case bytes([UInt8])
  case nothing
}

/// One connection to the index, with its prepared statements; for one thread at a time.
final class IndexConnection {
  private let database: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]
  private let patience: Duration

  /// Opens the database file, or makes an empty one; reads and writes nothing yet.
  init(path: String, patience: Duration) throws(ContentStoreError) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let result = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOFOLLOW, nil)
    guard let opened else {
      throw ContentStoreError(.unavailable, "there is no memory to open the index of the store")
    }
    guard result == SQLITE_OK else {
      let error = Self.error(result, of: opened, patience)
      sqlite3_close_v2(opened)
      throw error
    }
    database = opened
    self.patience = patience
    sqlite3_extended_result_codes(opened, 1)
    let milliseconds = patience / .milliseconds(1)
    sqlite3_busy_timeout(opened, CInt(min(max(milliseconds, 0), 600_000)))
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(database)
  }

  /// Runs one statement to its end.
  ///
  /// - Parameters:
  ///   - sql: The text, one of a fixed set, by which the prepared statement is kept.
  ///   - values: What its question marks stand for.
  /// - Returns: Every row; statements that could have many have a limit of their own.
  /// - Throws: SQLite's result in the store's own words.
  @discardableResult
  func run(
    _ sql: String,
    _ values: IndexValue...
  ) throws(ContentStoreError) -> [[IndexValue]] {
    let statement = try prepared(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (offset, value) in values.enumerated() {
      let result = Self.bind(value, to: statement, at: CInt(offset + 1))
      guard result == SQLITE_OK else { throw Self.error(result, of: database, patience) }
    }
    var rows: [[IndexValue]] = []
    while true {
      let result = sqlite3_step(statement)
      if result == SQLITE_DONE { return rows }
      guard result == SQLITE_ROW else { throw Self.error(result, of: database, patience) }
      rows.append((0..<sqlite3_column_count(statement)).map { Self.column($0, of: statement) })
    }
  }

  /// How many rows the last statement changed, triggers apart.
  var changes: Int64 {
    sqlite3_changes64(database)
  }

  /// Runs work as one change, which no other process's change comes between.
  ///
  /// The lock that writers wait for is taken first, so that the work never fails half-way for
  /// being late. Nothing of it lasts where it throws.
  func change<Result>(
    _ work: () throws(ContentStoreError) -> Result
  ) throws(ContentStoreError) -> Result {
    try run("BEGIN IMMEDIATE")
    do throws(ContentStoreError) {
      let result = try work()
      try run("COMMIT")
      return result
    } catch {
      // Some errors have rolled back already. Where this fails, the connection's end does it.
      if sqlite3_get_autocommit(database) == 0 { _ = try? run("ROLLBACK") }
      throw error
    }
  }

  private func prepared(_ sql: String) throws(ContentStoreError) -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    var statement: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    let result = sqlite3_prepare_v3(database, sql, -1, flags, &statement, nil)
    guard result == SQLITE_OK, let statement else {
      throw Self.error(result, of: database, patience)
    }
    statements[sql] = statement
    return statement
  }

  private static func bind(
    _ value: IndexValue,
    to statement: OpaquePointer,
    at index: CInt
  ) -> CInt {
    switch value {
    case .integer(let number):
      return sqlite3_bind_int64(statement, index, number)
    case .text(let text):
      return affix_bind_text(statement, index, text, UInt64(text.utf8.count))
    case .bytes(let bytes):
      return affix_bind_blob(statement, index, bytes, UInt64(bytes.count))
    case .nothing:
      return sqlite3_bind_null(statement, index)
    }
  }

  private static func column(_ index: CInt, of statement: OpaquePointer) -> IndexValue {
    switch sqlite3_column_type(statement, index) {
    case SQLITE_INTEGER:
      return .integer(sqlite3_column_int64(statement, index))
    case SQLITE_TEXT, SQLITE_BLOB:
      // Invariant: the bytes are SQLite's, as many as it says, valid until the next step; they
      // are copied here.
      let bytes = sqlite3_column_blob(statement, index)
      let count = Int(sqlite3_column_bytes(statement, index))
      let copy = [UInt8](UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
      return sqlite3_column_type(statement, index) == SQLITE_BLOB
        ? .bytes(copy) : .text(String(decoding: copy, as: UTF8.self))
    default:
      return .nothing
    }
  }

  /// SQLite's result code in the store's own words.
  private static func error(
    _ result: CInt,
    of database: OpaquePointer,
    _ patience: Duration
  ) -> ContentStoreError {
    let words = String(cString: sqlite3_errmsg(database))
    switch result & 0xff {
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL:
      return ContentStoreError(
        .busy,
        "another process has kept the index of the store locked for more than \(patience)"
      )
    case SQLITE_FULL:
      return ContentStoreError(.storageFull, "the disk has no room for the index of the store")
    case SQLITE_READONLY, SQLITE_PERM:
      return ContentStoreError(.readOnly, "the index of the store may not be written: \(words)")
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH,
      SQLITE_FORMAT, SQLITE_SCHEMA:
      // All statements are fixed and tested: one that fails has met tables that are not ours.
      return ContentStoreError(.damaged, "the index of the store is damaged: \(words)")
    default:
      return ContentStoreError(
        systemError: sqlite3_system_errno(database),
        "the index of the store cannot be used: \(words)"
      )
    }
  }
}
