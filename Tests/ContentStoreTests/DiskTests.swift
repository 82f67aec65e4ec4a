import ContentStore
import Glibc
import TestSupport
import Testing

/// A small file system of a test's own, in memory; only the superuser can have one.
private final class SmallDisk {
  let folder: TemporaryFolder
  let path: String

  init?(bytes: Int) throws {
    folder = try TemporaryFolder()
    path = folder.path(of: "disk")
    mkdir(path, 0o700)
    guard mount("none", path, "tmpfs", 0, "size=\(bytes)") == 0 else { return nil }
  }

  func makeReadOnly() -> Bool {
    mount("none", path, nil, UInt(MS_REMOUNT | MS_RDONLY), nil) == 0
  }

  deinit {
    umount2(path, CInt(MNT_DETACH))
  }

  static let isPossible = (try? SmallDisk(bytes: 1 << 16)) != nil
}

@Suite(.timeLimit(.minutes(1)))
struct DiskTests {
  private static func leftovers(_ disk: SmallDisk) -> [String] {
    disk.folder.contents.filter { $0.hasSuffix(".incoming") || $0.hasSuffix(".content") }
  }

  @Test(.enabled(if: SmallDisk.isPossible))
  func `a full disk is an error that leaves nothing behind`() throws {
    let disk = try #require(try SmallDisk(bytes: 1 << 20))
    let store = try ContentStore(at: disk.path, quotaBytes: 1 << 30)
    try store.insert([1, 2, 3], for: "small")
    let error = #expect(throws: ContentStoreError.self) {
      try store.insert([UInt8](repeating: 1, count: 2 << 20), for: "large")
    }
    #expect(error?.code == .storageFull)
    #expect(Self.leftovers(disk).count == 1)
    #expect(try store.content(for: "small") == [1, 2, 3])
  }

  @Test(.enabled(if: SmallDisk.isPossible))
  func `a disk that is full for the index leaves no content behind`() throws {
    let disk = try #require(try SmallDisk(bytes: 1 << 20))
    let store = try ContentStore(at: disk.path, quotaBytes: 1 << 30)
    var stored = 0
    let error = #expect(throws: ContentStoreError.self) {
      for number in 0..<10_000 {
        try store.insert([], for: "\(number)", metadata: [UInt8](repeating: 1, count: 20_000))
        stored += 1
      }
    }
    #expect(error?.code == .storageFull)
    #expect(stored > 5)
    #expect(Self.leftovers(disk).count == 1)
  }

  @Test(.enabled(if: SmallDisk.isPossible))
  func `a read-only folder is refused at once`() throws {
    let disk = try #require(try SmallDisk(bytes: 1 << 20))
    #expect(disk.makeReadOnly())
    let error = #expect(throws: ContentStoreError.self) {
      try ContentStore(at: disk.path, quotaBytes: 1)
    }
    #expect(error?.code == .readOnly)
    #expect(error?.message.contains(disk.path) == true)
  }

  @Test(.enabled(if: geteuid() != 0))
  func `a folder without the right to write is refused at once`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "store")
    mkdir(path, 0o500)
    let error = #expect(throws: ContentStoreError.self) {
      try ContentStore(at: path, quotaBytes: 1)
    }
    #expect(error?.code == .readOnly)
  }
}
