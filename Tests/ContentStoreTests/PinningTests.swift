import ContentStore
import TestSupport
import Testing

/// Who pins an entry keeps it for as long as it lives, and no longer.
@Suite(.timeLimit(.minutes(1)))
struct PinningTests {
  private static func bytes(_ number: UInt8) -> [UInt8] {
    [UInt8](repeating: number, count: 10)
  }

  /// The most bytes that an insertion finds room for beside what is pinned.
  private func room(in store: ContentStore) throws -> Int {
    for count in stride(from: Int(store.quotaBytes), through: 0, by: -1) {
      do throws(ContentStoreError) {
        if try store.insert([UInt8](repeating: 255, count: count), for: "z") != nil { return count }
      } catch {
        guard error.code == .storageFull else { throw error }
      }
    }
    return -1
  }

  /// Three pins of a holder that is no more, and one of a holder that lives.
  private func pins(in place: StoreFolder) throws -> ContentStore.Hold {
    let store = try place.open(quotaBytes: 60)
    let (ended, living) = (try store.hold("ended"), try store.hold("living"))
    for number in 0..<3 as Range<UInt8> {
      try store.insert(Self.bytes(number), for: "\(number)", pinnedBy: ended)
    }
    try store.insert(Self.bytes(9), for: "9", pinnedBy: living)
    ended.end()
    return living
  }

  @Test(arguments: [true, false])
  func `what an ended holder had pinned is let go by the next start or sweep`(
    byStart: Bool
  ) throws {
    let place = try StoreFolder()
    let living = try pins(in: place)
    let store = try place.open(quotaBytes: 60)
    #expect(try room(in: store) == 60 - 4 * 11 - 1)
    try store.remove(for: "z")
    let next = byStart ? try store.hold("next") : nil
    if !byStart { try store.sweep() }
    // It is still there, until room is needed.
    #expect(try ["0", "1", "2", "9"].allSatisfy { try store.content(for: $0) != nil })
    #expect(try room(in: store) == 60 - 11 - 1)
    #expect(try ["0", "1", "2", "9"].filter { try store.content(for: $0) != nil } == ["9"])
    next?.end()
    living.end()
  }

  @Test func `pins of several processes add up, whoever adds and removes them`() throws {
    let place = try StoreFolder()
    let clock = WallClock()
    let stores = try (0..<3).map { _ in try place.open(quotaBytes: 100, clock: clock) }
    let holds = try stores.enumerated().map { try $1.hold("holder\($0)") }
    for (number, store) in stores.enumerated() {
      // One content of three entries, which each counts.
      try store.insert(
        Self.bytes(0),
        for: "\(number)",
        expiresAt: clock.now + Int64(number) + 1,
        pinnedBy: holds[number]
      )
    }
    #expect(try room(in: stores[0]) == 100 - 33 - 1)
    let entry = try #require(try stores[1].entry(for: "2"))
    try stores[1].updateMetadata(of: entry, to: [1, 2, 3], expiresAt: clock.now + 3)
    #expect(try room(in: stores[2]) == 100 - 36 - 1)
    clock.advance(by: 1)
    #expect(try room(in: stores[1]) == 100 - 25 - 1)
    try stores[0].remove(for: "1")
    #expect(try room(in: stores[2]) == 100 - 14 - 1)
    try stores[0].insert(Self.bytes(5), for: "2")
    #expect(try room(in: stores[1]) == 100 - 1)
    for hold in holds { hold.end() }
  }

  @Test func `a store that was begun without a sum of pins gets one`() throws {
    let place = try StoreFolder()
    let living = try pins(in: place)
    for trigger in ["pin_added", "pin_removed", "pin_changed"] {
      place.execute("DROP TRIGGER \(trigger)")
    }
    for name in ["pin_holder", "pin_expires"] { place.execute("DROP INDEX \(name)") }
    place.execute("DROP TABLE pinned")
    place.execute("ALTER TABLE entry DROP COLUMN holder")
    let store = try place.open(quotaBytes: 60)
    #expect(store.recovery == nil)
    #expect(try store.content(for: "0") == Self.bytes(0))
    #expect(try room(in: store) == 60 - 4 * 11 - 1)
    living.end()
  }
}
