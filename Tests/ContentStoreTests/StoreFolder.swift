import CSQLite
import ContentStore
import Cryptography
import Glibc
import Synchronization
import TestSupport

/// A store's folder of a test's own, and what a test does to it behind the store's back.
struct StoreFolder {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  var path: String {
    folder.path(of: "store")
  }

  /// The index, as a path from the temporary folder.
  static let index = "store/index.sqlite"

  func open(
    quotaBytes: Int64 = 1 << 30,
    patience: Duration = .seconds(30),
    clock: WallClock = WallClock()
  ) throws -> ContentStore {
    try ContentStore(at: path, quotaBytes: quotaBytes, patience: patience, now: { clock.now })
  }

  /// The names of the content files.
  var contents: [String] {
    folder.contents.filter { $0.hasSuffix(".content") }
  }

  /// The names of files that are on their way in.
  var incoming: [String] {
    folder.contents.filter { $0.hasSuffix(".incoming") }
  }

  /// The name of the file that holds these bytes.
  func name(of bytes: [UInt8]) -> String {
    let hasher = SHA256Hasher()
    hasher.update(bytes)
    return "store/\(hasher.finalize().hexadecimal).content"
  }

  /// Runs SQL on the index over a connection of its own.
  func execute(_ sql: String) {
    var database: OpaquePointer?
    sqlite3_open(folder.path(of: Self.index), &database)
    sqlite3_busy_timeout(database, 30_000)
    sqlite3_exec(database, sql, nil, nil, nil)
    sqlite3_close(database)
  }
}

/// A wall clock that a test sets.
final class WallClock: Sendable {
  private let seconds = Atomic<Int64>(1_000_000)

  var now: Int64 {
    seconds.load(ordering: .relaxed)
  }

  func advance(by count: Int64) {
    seconds.wrappingAdd(count, ordering: .relaxed)
  }
}

extension ContentStore {
  /// Inserts bytes by way of a file without a name, whose size is said to be something.
  @discardableResult
  func insert(
    _ bytes: [UInt8],
    for key: String,
    metadata: [UInt8] = [],
    expiresAt: Int64? = nil,
    announced: Int64
  ) throws -> Entry? {
    var template = [CChar]("/tmp/affix-test-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    unlink(&template)
    defer { close(file) }
    var done = 0
    while done < bytes.count {
      let count = Array(bytes[done...]).withUnsafeBytes {
        write(file, $0.baseAddress, $0.count)
      }
      guard count > 0 else { break }
      done += count
    }
    return try insert(
      fileDescriptor: file,
      sizeBytes: announced,
      for: key,
      metadata: metadata,
      expiresAt: expiresAt
    )
  }

  /// The verified content under a key.
  func content(for key: String) throws -> [UInt8]? {
    guard let entry = try entry(for: key), let file = try open(entry) else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Int(entry.sizeBytes) + 1)
    let count = pread(file, &bytes, bytes.count, 0)
    return Array(bytes.prefix(max(count, 0)))
  }
}
