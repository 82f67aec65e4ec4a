import ContentStore
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SweepingTests {
  @Test func `a sweep of a store in order removes nothing`() throws {
    let place = try StoreFolder()
    let store = try place.open()
    try store.insert([1, 2], for: "a")
    #expect(try store.sweep() == ContentStore.Sweep())
    #expect(try store.content(for: "a") == [1, 2])
  }

  @Test func `half-filled files of dead processes go, those of living ones stay`() throws {
    let place = try StoreFolder()
    let store = try place.open()
    let living = try place.folder.write([1], to: "store/aaaaaaaaaaaaaaaa.incoming")
    try place.folder.write([1], to: "store/bbbbbbbbbbbbbbbb.incoming")
    let lock = Glibc.open(living, O_RDWR)
    flock(lock, LOCK_EX)
    #expect(try store.sweep().abandonedFiles == 1)
    #expect(place.incoming == ["store/aaaaaaaaaaaaaaaa.incoming"])
    close(lock)
    #expect(try store.sweep().abandonedFiles == 1)
    #expect(place.incoming == [])
  }

  @Test func `a name is held until its holder ends, and a sweep takes only what is left`() throws {
    let place = try StoreFolder()
    let (store, other) = (try place.open(), try place.open())
    let hold = try store.hold("aaaaaaaaaaaaaaaa")
    try place.folder.write([], to: "store/bbbbbbbbbbbbbbbb.hold")
    #expect(other.isHeld("aaaaaaaaaaaaaaaa"))
    #expect(!other.isHeld("bbbbbbbbbbbbbbbb"))
    #expect(!other.isHeld("cccccccccccccccc"))
    #expect(throws: ContentStoreError.self) { try other.hold("aaaaaaaaaaaaaaaa") }
    try other.sweep()
    #expect(
      place.folder.contents.filter { $0.hasSuffix(".hold") } == ["store/aaaaaaaaaaaaaaaa.hold"]
    )
    #expect(other.isHeld("aaaaaaaaaaaaaaaa"))
    hold.end()
    #expect(!other.isHeld("aaaaaaaaaaaaaaaa"))
    #expect(place.folder.contents.filter { $0.hasSuffix(".hold") } == [])
  }

  @Test func `a name is taken again after its folder was removed`() throws {
    let place = try StoreFolder()
    let (store, other) = (try place.open(), try place.open())
    let hold = try store.hold("aaaaaaaaaaaaaaaa")
    place.folder.remove()
    try store.insert([1], for: "a")
    #expect(!other.isHeld("aaaaaaaaaaaaaaaa"))
    try hold.renew()
    #expect(other.isHeld("aaaaaaaaaaaaaaaa"))
    hold.end()
    #expect(!other.isHeld("aaaaaaaaaaaaaaaa"))
  }

  @Test func `contents that no entry has go`() throws {
    let place = try StoreFolder()
    let store = try place.open()
    try store.insert([1, 2], for: "a")
    for number in 0..<300 {
      try place.folder.write([9], to: place.name(of: [5, UInt8(number & 255), UInt8(number >> 8)]))
    }
    #expect(try store.sweep().unclaimedContents == 300)
    #expect(place.contents == [place.name(of: [1, 2])])
  }

  @Test func `entries without their content go`() throws {
    let place = try StoreFolder()
    let store = try place.open()
    for number in 0..<200 { try store.insert([UInt8(number)], for: "\(number)") }
    unlink(place.folder.path(of: place.name(of: [7])))
    try place.folder.write([8, 8], to: place.name(of: [199]))
    #expect(try store.sweep().lostContents == 2)
    #expect(try store.entry(for: "7") == nil)
    #expect(try store.entry(for: "199") == nil)
    #expect(place.contents.count == 198)
  }

  @Test func `expired entries go`() throws {
    let clock = WallClock()
    let place = try StoreFolder()
    let store = try place.open(clock: clock)
    for number in 0..<300 {
      try store.insert([UInt8(number & 255)], for: "\(number)", expiresAt: clock.now + 10)
    }
    try store.insert([1, 1], for: "x")
    clock.advance(by: 10)
    #expect(try store.sweep().expiredEntries == 300)
    #expect(place.contents == [place.name(of: [1, 1])])
    #expect(try store.usedBytes() == 3)
  }

  @Test func `files of other people are left alone`() throws {
    let place = try StoreFolder()
    let store = try place.open()
    let digest = String(repeating: "a", count: 64)
    let names = ["photo.jpg", digest, "\(digest).jpg", "\(digest)0.content", "x.content"]
    for name in names { try place.folder.write([1], to: "store/\(name)") }
    #expect(try store.sweep() == ContentStore.Sweep())
    #expect(Set(place.folder.contents).isSuperset(of: names.map { "store/\($0)" }))
  }
}
