import ContentStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct EvictionTests {
  /// Ten bytes that differ from key to key; with the key they take eleven.
  private static func bytes(_ number: UInt8) -> [UInt8] {
    [UInt8](repeating: number, count: 10)
  }

  private static func found(_ keys: [String], in store: ContentStore) throws -> [String] {
    try keys.filter { try store.content(for: $0) != nil }
  }

  @Test func `what was used longest ago goes first`() throws {
    let place = try StoreFolder()
    let store = try place.open(quotaBytes: 33)
    for (number, key) in ["a", "b", "c"].enumerated() {
      try store.insert(Self.bytes(UInt8(number)), for: key)
    }
    _ = try store.entry(for: "a")
    try store.insert(Self.bytes(3), for: "d")
    #expect(try Self.found(["a", "b", "c", "d"], in: store) == ["a", "c", "d"])
    #expect(place.contents.count == 3)
    #expect(try store.usedBytes() == 33)
  }

  @Test func `the order of uses outlives a run and a clock that stands still`() throws {
    let place = try StoreFolder()
    var store = try place.open(quotaBytes: 33)
    for (number, key) in ["a", "b", "c"].enumerated() {
      try store.insert(Self.bytes(UInt8(number)), for: key)
    }
    store = try place.open(quotaBytes: 33)
    _ = try store.entry(for: "b")
    _ = try store.entry(for: "a")
    store = try place.open(quotaBytes: 33)
    try store.insert(Self.bytes(3), for: "d")
    try store.insert(Self.bytes(4), for: "e")
    #expect(try Self.found(["a", "b", "c", "d", "e"], in: store) == ["a", "d", "e"])
  }

  @Test func `expired entries go before those that were used longer ago`() throws {
    let clock = WallClock()
    let place = try StoreFolder()
    let store = try place.open(quotaBytes: 33, clock: clock)
    try store.insert(Self.bytes(0), for: "a")
    try store.insert(Self.bytes(1), for: "b", expiresAt: clock.now + 1)
    try store.insert(Self.bytes(2), for: "c")
    clock.advance(by: 1)
    try store.insert(Self.bytes(3), for: "d")
    #expect(try Self.found(["a", "b", "c", "d"], in: store) == ["a", "c", "d"])
  }

  @Test func `as many go as are needed`() throws {
    let place = try StoreFolder()
    let store = try place.open(quotaBytes: 110)
    for number in 0..<10 { try store.insert(Self.bytes(UInt8(number)), for: "\(number)") }
    try store.insert([UInt8](repeating: 77, count: 89), for: "z")
    #expect(try store.usedBytes() == 101)
    #expect(place.contents.count == 2)
    #expect(try store.content(for: "9") != nil)
  }

  @Test func `a shared content is not evicted to make room for itself`() throws {
    let place = try StoreFolder()
    let store = try place.open(quotaBytes: 12)
    try store.insert(Self.bytes(1), for: "a")
    try store.insert(Self.bytes(1), for: "b")
    try store.insert(Self.bytes(1), for: "c")
    #expect(try Self.found(["a", "b", "c"], in: store) == ["b", "c"])
  }

  @Test(arguments: [(10, 11, true), (10, 10, false), (0, 1, true), (0, 0, false)])
  func `a quota that is one byte short stores nothing`(
    size: Int,
    quota: Int64,
    fits: Bool
  ) throws {
    let place = try StoreFolder()
    let store = try place.open(quotaBytes: quota)
    let entry = try store.insert([UInt8](repeating: 1, count: size), for: "a")
    #expect((entry != nil) == fits)
    #expect(place.contents.count == (fits ? 1 : 0))
  }

  @Test func `what does not fit takes the old entry away and leaves the others`() throws {
    let place = try StoreFolder()
    let store = try place.open(quotaBytes: 33)
    try store.insert(Self.bytes(0), for: "a")
    try store.insert(Self.bytes(1), for: "b")
    #expect(try store.insert([UInt8](repeating: 2, count: 33), for: "a") == nil)
    #expect(try Self.found(["a", "b"], in: store) == ["b"])
  }

  @Test func `what is pinned stays, however long ago it was used`() throws {
    let place = try StoreFolder()
    var store = try place.open(quotaBytes: 33)
    let hold = try store.hold("holder")
    try store.insert(Self.bytes(0), for: "a", pinnedBy: hold)
    _ = try store.entry(for: "a")
    for (number, key) in ["b", "c", "d"].enumerated() {
      try store.insert(Self.bytes(UInt8(1 + number)), for: key)
    }
    store = try place.open(quotaBytes: 33)
    try store.insert(Self.bytes(4), for: "e")
    #expect(try Self.found(["a", "b", "c", "d", "e"], in: store) == ["a", "d", "e"])
    #expect(try store.usedBytes() == 33)
    let poor = try place.open(quotaBytes: 12)
    #expect(try poor.sweep().evictedEntries == 2)
    #expect(try Self.found(["a", "d", "e"], in: poor) == ["a"])
    hold.end()
  }

  @Test func `what is pinned goes when it expires, is replaced or removed`() throws {
    let clock = WallClock()
    let place = try StoreFolder()
    let store = try place.open(quotaBytes: 33, clock: clock)
    let hold = try store.hold("holder")
    try store.insert(Self.bytes(0), for: "a", expiresAt: clock.now + 1, pinnedBy: hold)
    try store.insert(Self.bytes(1), for: "b", pinnedBy: hold)
    try store.insert(Self.bytes(2), for: "c", pinnedBy: hold)
    clock.advance(by: 1)
    try store.insert(Self.bytes(3), for: "d")
    #expect(try Self.found(["a", "b", "c", "d"], in: store) == ["b", "c", "d"])
    try store.insert(Self.bytes(1), for: "b")
    try store.remove(for: "c")
    for (number, key) in ["e", "f", "g"].enumerated() {
      try store.insert(Self.bytes(UInt8(4 + number)), for: key)
    }
    #expect(try Self.found(["b", "c", "d", "e", "f", "g"], in: store) == ["e", "f", "g"])
  }

  @Test(arguments: ["b", "d"])
  func `what has no room beside pinned ones changes nothing`(key: String) throws {
    let place = try StoreFolder()
    let store = try place.open(quotaBytes: 33)
    let hold = try store.hold("holder")
    try store.insert(Self.bytes(0), for: "a", pinnedBy: hold)
    try store.insert(Self.bytes(1), for: "b", pinnedBy: hold)
    try store.insert(Self.bytes(2), for: "c")
    let room = key == "b" ? 21 : 10
    let error = #expect(throws: ContentStoreError.self) {
      try store.insert([UInt8](repeating: 3, count: room + 1), for: key)
    }
    #expect(error?.code == .storageFull)
    #expect(try Self.found(["a", "b", "c", "d"], in: store) == ["a", "b", "c"])
    #expect(place.contents.count == 3)
    #expect(try store.insert([UInt8](repeating: 3, count: room), for: key) != nil)
  }

  @Test func `an opened content stays readable when it is evicted`() throws {
    let place = try StoreFolder()
    let store = try place.open(quotaBytes: 11)
    let entry = try #require(try store.insert(Self.bytes(0), for: "a"))
    let file = try #require(try store.open(entry))
    try store.insert(Self.bytes(1), for: "b")
    #expect(place.contents == [place.name(of: Self.bytes(1))])
    #expect(DescriptorBytes.read(file) == Self.bytes(0))
  }

  @Test func `a sweep brings a store under a quota that was lowered`() throws {
    let place = try StoreFolder()
    do {
      let store = try place.open()
      for number in 0..<200 { try store.insert(Self.bytes(UInt8(number)), for: "\(number)") }
    }
    let store = try place.open(quotaBytes: 26)
    #expect(try store.sweep().evictedEntries == 198)
    #expect(try Self.found(["197", "198", "199"], in: store) == ["198", "199"])
  }
}
