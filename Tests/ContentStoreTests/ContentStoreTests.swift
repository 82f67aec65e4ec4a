import ContentStore
import Cryptography
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ContentStoreTests {
  @Test(arguments: [true, false])
  func `what is stored is for its user alone, whoever may look into the folder`(
    isThere: Bool
  ) throws {
    let place = try StoreFolder()
    if isThere { mkdir(place.path, 0o755) }
    let store = try place.open()
    try store.insert([1, 2, 3], for: "a")
    let open = place.folder.contents.filter { name in
      var status = stat()
      return lstat(place.folder.path(of: name), &status) != 0 || status.st_mode & 0o077 != 0
    }
    #expect(open == (isThere ? ["store/"] : []))
  }

  @Test func `what was stored is found by its key, with its metadata`() throws {
    let place = try StoreFolder()
    let store = try place.open()
    let stored = try #require(try store.insert([1, 2, 3], for: "a", metadata: [9]))
    let entry = try #require(try store.entry(for: "a"))
    #expect(entry == stored)
    #expect(entry.sizeBytes == 3)
    #expect(entry.metadata == [9])
    #expect(try store.content(for: "a") == [1, 2, 3])
    #expect(try store.entry(for: "b") == nil)
    #expect(store.recovery == nil)
  }

  @Test(arguments: [0, 1, 4_096, 3_000_001])
  func `contents of any size come back whole`(count: Int) throws {
    let place = try StoreFolder()
    let store = try place.open()
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try store.insert(bytes, for: "a")
    #expect(try store.content(for: "a") == bytes)
  }

  @Test func `only the announced beginning of a file is stored`() throws {
    let place = try StoreFolder()
    let store = try place.open()
    try store.insert([1, 2, 3, 4], for: "a", announced: 2)
    #expect(try store.content(for: "a") == [1, 2])
  }

  @Test func `a later run finds what an earlier one stored`() throws {
    let place = try StoreFolder()
    try place.open().insert([1, 2, 3], for: "a", metadata: [7])
    let store = try place.open()
    #expect(try store.content(for: "a") == [1, 2, 3])
    #expect(try store.entry(for: "a")?.metadata == [7])
  }

  @Test func `a key may hold any character`() throws {
    let place = try StoreFolder()
    let store = try place.open()
    try store.insert([1], for: "a\0b' \u{1F389}")
    #expect(try store.content(for: "a\0b' \u{1F389}") == [1])
    #expect(try store.entry(for: "a") == nil)
  }

  @Test func `storing again replaces content and metadata`() throws {
    let place = try StoreFolder()
    let store = try place.open()
    try store.insert([1, 2, 3], for: "a", metadata: [1])
    try store.insert([4, 5], for: "a", metadata: [2])
    #expect(try store.content(for: "a") == [4, 5])
    #expect(place.contents == [place.name(of: [4, 5])])
    #expect(try store.usedBytes() == 2 + 1 + 1)
  }

  @Test func `storing the same again leaves it there once`() throws {
    let place = try StoreFolder()
    let store = try place.open()
    for _ in 0..<3 { try store.insert([1, 2, 3], for: "a") }
    #expect(try store.content(for: "a") == [1, 2, 3])
    #expect(try store.usedBytes() == 3 + 1)
  }

  @Test func `equal contents share one file until the last of them goes`() throws {
    let place = try StoreFolder()
    let store = try place.open()
    try store.insert([1, 2, 3], for: "a")
    try store.insert([1, 2, 3], for: "b")
    #expect(place.contents.count == 1)
    #expect(try store.usedBytes() == 3 + 2)
    try store.remove(for: "a")
    #expect(try store.content(for: "b") == [1, 2, 3])
    try store.remove(for: "b")
    #expect(place.contents == [])
    #expect(try store.usedBytes() == 0)
  }

  @Test func `a look-up tells the use before it`() throws {
    let clock = WallClock()
    let place = try StoreFolder()
    let store = try place.open(clock: clock)
    try store.insert([1], for: "a")
    clock.advance(by: 10)
    #expect(try store.entry(for: "a")?.lastUsedAt == 1_000_000)
    clock.advance(by: 10)
    let entry = try store.entry(for: "a")
    #expect(entry?.lastUsedAt == 1_000_010)
    #expect(entry?.storedAt == 1_000_000)
  }

  @Test func `an entry is found until the second it expires`() throws {
    let clock = WallClock()
    let place = try StoreFolder()
    let store = try place.open(clock: clock)
    try store.insert([1], for: "a", expiresAt: clock.now + 5)
    clock.advance(by: 4)
    #expect(try store.content(for: "a") == [1])
    clock.advance(by: 1)
    #expect(try store.entry(for: "a") == nil)
  }

  @Test func `what has expired already is not stored`() throws {
    let clock = WallClock()
    let place = try StoreFolder()
    let store = try place.open(clock: clock)
    #expect(try store.insert([1], for: "a", expiresAt: clock.now) == nil)
    #expect(place.contents == [])
  }

  @Test func `metadata and expiry are replaced where the content is the same`() throws {
    let place = try StoreFolder()
    let store = try place.open()
    let entry = try #require(try store.insert([1], for: "a", metadata: [1], expiresAt: 2_000_000))
    #expect(try store.updateMetadata(of: entry, to: [2, 3]))
    let updated = try store.entry(for: "a")
    #expect(updated?.metadata == [2, 3])
    #expect(updated?.expiresAt == nil)
    #expect(try store.usedBytes() == 1 + 1 + 2)
  }

  @Test func `metadata about another content changes nothing`() throws {
    let place = try StoreFolder()
    let store = try place.open()
    let old = try #require(try store.insert([1], for: "a", metadata: [1]))
    try store.insert([2], for: "a", metadata: [2])
    #expect(try store.updateMetadata(of: old, to: [3]) == false)
    #expect(try store.entry(for: "a")?.metadata == [2])
  }

  @Test func `a file that is shorter than announced leaves nothing behind`() throws {
    let place = try StoreFolder()
    let store = try place.open()
    let error = #expect(throws: ContentStoreError.self) {
      try store.insert([1, 2, 3], for: "a", announced: 4)
    }
    #expect(error?.code == .unreadable)
    #expect(place.contents + place.incoming == [])
    #expect(try store.usedBytes() == 0)
  }

  @Test func `a file that cannot be read leaves nothing behind`() throws {
    let place = try StoreFolder()
    let store = try place.open()
    let error = #expect(throws: ContentStoreError.self) {
      try store.insert(fileDescriptor: -1, sizeBytes: 1, for: "a")
    }
    #expect(error?.code == .unreadable)
    #expect(place.contents + place.incoming == [])
  }

  @Test(arguments: [(4_096, 65_536, true), (4_097, 0, false), (0, 65_537, false)])
  func `keys and metadata have a longest length`(key: Int, metadata: Int, fits: Bool) throws {
    let place = try StoreFolder()
    let store = try place.open()
    let text = String(repeating: "k", count: key)
    let bytes = [UInt8](repeating: 0, count: metadata)
    var code: ContentStoreError.Code?
    do {
      try store.insert([1], for: text, metadata: bytes)
    } catch {
      code = error.code
    }
    #expect(code == (fits ? nil : .invalidArgument))
  }

  @Test(arguments: ["", "a\0b"])
  func `what is no path is refused`(path: String) {
    let error = #expect(throws: ContentStoreError.self) {
      try ContentStore(at: path, quotaBytes: 1)
    }
    #expect(error?.code == .invalidArgument)
  }

  @Test func `a folder is made with those above it, for its user only`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "one/two/three")
    _ = try ContentStore(at: path, quotaBytes: 1)
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o700)
  }

  @Test func `a folder may be reached over a link`() throws {
    let place = try StoreFolder()
    try place.open().insert([1, 2, 3], for: "a")
    let link = place.folder.path(of: "link")
    symlink(place.path, link)
    let store = try ContentStore(at: link, quotaBytes: 1_000)
    #expect(try store.content(for: "a") == [1, 2, 3])
    #expect(store.path.hasSuffix("/store"))
  }

  @Test func `a file in the folder's place is refused`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([1], to: "store")
    let error = #expect(throws: ContentStoreError.self) {
      try ContentStore(at: path, quotaBytes: 1)
    }
    #expect(error?.code == .unavailable)
  }
}
