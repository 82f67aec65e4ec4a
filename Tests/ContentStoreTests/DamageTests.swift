import ContentStore
import Cryptography
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DamageTests {
  private static let bytes: [UInt8] = [1, 2, 3, 4]

  enum Harm: CaseIterable {
    case flippedBit
    case oneByteLess
    case oneByteMore
    case removed
    case replacedByLink
    case replacedByFolder
  }

  private static func harm(_ place: StoreFolder, _ harm: Harm) throws {
    let name = place.name(of: bytes)
    let path = place.folder.path(of: name)
    switch harm {
    case .flippedBit: try place.folder.write([1, 2, 3, 5], to: name)
    case .oneByteLess: try place.folder.write([1, 2, 3], to: name)
    case .oneByteMore: try place.folder.write([1, 2, 3, 4, 0], to: name)
    case .removed: unlink(path)
    case .replacedByLink:
      unlink(path)
      symlink(try place.folder.write(bytes, to: "elsewhere"), path)
    case .replacedByFolder:
      unlink(path)
      mkdir(path, 0o700)
    }
  }

  @Test(arguments: Harm.allCases)
  func `a content that is not what was stored is no answer, and its entries go`(
    harm: Harm
  ) throws {
    let place = try StoreFolder()
    let store = try place.open()
    let entry = try #require(try store.insert(Self.bytes, for: "a"))
    try store.insert(Self.bytes, for: "b")
    try store.insert([9], for: "c")
    try Self.harm(place, harm)
    #expect(try store.open(entry) == nil)
    if harm != .replacedByLink && harm != .replacedByFolder {
      #expect(try store.entry(for: "a") == nil)
      #expect(try store.entry(for: "b") == nil)
      #expect(try store.usedBytes() == 2)
    }
    #expect(try store.content(for: "c") == [9])
  }

  enum Loss: CaseIterable {
    case removed
    case removedWithItsParent
    case moved
    case replaced
  }

  private static func lose(_ place: StoreFolder, _ loss: Loss) {
    switch loss {
    case .removed:
      for name in place.folder.contents where name != "store/" {
        unlink(place.folder.path(of: name))
      }
      rmdir(place.path)
    case .removedWithItsParent: place.folder.remove()
    case .moved: rename(place.path, place.folder.path(of: "elsewhere"))
    case .replaced:
      rename(place.path, place.folder.path(of: "elsewhere"))
      mkdir(place.path, 0o700)
    }
  }

  @Test(arguments: Loss.allCases)
  func `a folder that has gone is made again, and used from then on`(loss: Loss) throws {
    let place = try StoreFolder()
    let (store, other) = (try place.open(), try place.open())
    try store.insert(Self.bytes, for: "a")
    Self.lose(place, loss)
    #expect(try store.entry(for: "a") == nil)
    try store.insert([9], for: "c")
    #expect(try store.content(for: "c") == [9])
    #expect(try other.content(for: "c") == [9])
    #expect(place.contents.contains(place.name(of: [9])))
    #expect(try store.sweep() == ContentStore.Sweep())
  }

  @Test(arguments: Loss.allCases)
  func `an entry of a folder that has gone is a miss`(loss: Loss) throws {
    let place = try StoreFolder()
    let store = try place.open()
    let entry = try #require(try store.insert(Self.bytes, for: "a"))
    Self.lose(place, loss)
    #expect(try store.open(entry) == nil)
    #expect(try store.updateMetadata(of: entry, to: [1]) == false)
    try store.remove(for: "a")
    #expect(try store.usedBytes() == 0)
  }

  @Test func `storing again mends a damaged content`() throws {
    let place = try StoreFolder()
    let store = try place.open()
    try store.insert(Self.bytes, for: "a")
    try Self.harm(place, .flippedBit)
    try store.insert(Self.bytes, for: "b")
    #expect(try store.content(for: "a") == Self.bytes)
  }

  enum BrokenIndex: CaseIterable {
    case garbage
    case cutInTheMiddle
    case anotherProgram
    case missingTable
    case anotherVersion
    case overwrittenPages
  }

  private static func breakIndex(_ place: StoreFolder, _ kind: BrokenIndex) throws {
    let whole = try #require(place.folder.read(StoreFolder.index))
    switch kind {
    case .garbage:
      try place.folder.write([UInt8](repeating: 7, count: 5_000), to: StoreFolder.index)
    case .cutInTheMiddle:
      try place.folder.write(Array(whole.prefix(4_096 * 2 + 10)), to: StoreFolder.index)
    case .anotherProgram:
      unlink(place.folder.path(of: StoreFolder.index))
      place.execute("CREATE TABLE letters (words TEXT); INSERT INTO letters VALUES ('dear')")
    case .missingTable:
      place.execute("DROP TABLE entry")
    case .anotherVersion:
      place.execute("PRAGMA user_version = 99")
    case .overwrittenPages:
      let rest = [UInt8](repeating: 255, count: whole.count - 4_096)
      try place.folder.write(Array(whole.prefix(4_096)) + rest, to: StoreFolder.index)
    }
  }

  @Test(arguments: BrokenIndex.allCases)
  func `an index that cannot be used is set aside, and a new one begun`(
    kind: BrokenIndex
  ) throws {
    let place = try StoreFolder()
    try place.open().insert(Self.bytes, for: "a")
    try Self.breakIndex(place, kind)
    let store = try place.open()
    #expect(try store.entry(for: "a") == nil)
    let recovery = try #require(store.recovery)
    #expect(recovery.setAside == "\(store.path)/index.sqlite.aside")
    #expect(recovery.reason.isEmpty == false)
    #expect(place.folder.contents.contains("store/index.sqlite.aside"))
    try store.insert(Self.bytes, for: "b")
    #expect(try store.content(for: "b") == Self.bytes)
    #expect(try place.open().recovery == nil)
  }

  @Test func `another program's database is set aside as it was`() throws {
    let place = try StoreFolder()
    mkdir(place.path, 0o700)
    place.execute("CREATE TABLE letters (words TEXT); INSERT INTO letters VALUES ('dear')")
    let before = place.folder.read(StoreFolder.index)
    _ = try place.open()
    #expect(place.folder.read("store/index.sqlite.aside") == before)
  }

  @Test func `an index that is damaged while it is open is replaced`() throws {
    let place = try StoreFolder()
    let store = try place.open()
    try store.insert(Self.bytes, for: "a")
    place.execute("DROP TABLE entry")
    #expect(try store.entry(for: "a") == nil)
    #expect(store.recovery != nil)
    try store.insert(Self.bytes, for: "a")
    #expect(try store.content(for: "a") == Self.bytes)
  }

  @Test func `rows that were never written mean a damaged index`() throws {
    let place = try StoreFolder()
    let store = try place.open()
    try store.insert(Self.bytes, for: "a")
    place.execute("UPDATE entry SET digest = '../../etc/passwd'")
    #expect(try store.entry(for: "a") == nil)
    #expect(store.recovery != nil)
  }

  @Test func `a store goes on where another has replaced the index`() throws {
    let place = try StoreFolder()
    let first = try place.open()
    let second = try place.open()
    try first.insert(Self.bytes, for: "a")
    place.execute("DROP TABLE entry")
    #expect(try first.entry(for: "a") == nil)
    try first.insert([5], for: "b")
    #expect(try second.content(for: "b") == [5])
    #expect(second.recovery == nil)
    #expect(first.recovery != nil)
  }

  @Test func `a store goes on where someone removed the index`() throws {
    let place = try StoreFolder()
    let store = try place.open()
    try store.insert(Self.bytes, for: "a")
    for suffix in ["", "-wal", "-shm"] { unlink("\(place.path)/index.sqlite\(suffix)") }
    #expect(try store.entry(for: "a") == nil)
    try store.insert(Self.bytes, for: "a")
    #expect(try place.open().content(for: "a") == Self.bytes)
  }

  @Test func `a store comes back from where a link took it for a while`() throws {
    let place = try StoreFolder()
    let store = try place.open()
    rename(place.path, place.folder.path(of: "elsewhere"))
    let other = place.folder.path(of: "other")
    mkdir(other, 0o700)
    symlink(other, place.path)
    try store.insert([1], for: "a")
    #expect(place.folder.contents.contains("other/index.sqlite"))
    unlink(place.path)
    try store.insert([2], for: "b")
    #expect(place.contents.contains(place.name(of: [2])))
  }

  @Test func `a store whose folder cannot be made again says so`() throws {
    let place = try StoreFolder()
    let store = try place.open()
    rename(place.path, place.folder.path(of: "elsewhere"))
    try place.folder.write([], to: "store")
    let error = #expect(throws: ContentStoreError.self) { try store.insert([1], for: "a") }
    #expect(error?.code == .unavailable)
  }
}
