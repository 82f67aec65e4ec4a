import ContentStore
import Glibc
import TestSupport
import Testing

/// Stores on one folder stand for processes: SQLite and the locks treat their connections alike.
@Suite(.timeLimit(.minutes(1)))
struct ConcurrencyTests {
  /// A content that follows from the key, so that a mix-up is seen.
  private static func bytes(_ number: Int) -> [UInt8] {
    [UInt8](repeating: UInt8(number), count: 1_000 + number)
  }

  @Test func `many stores on one folder never answer with the wrong content`() async throws {
    let place = try StoreFolder()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<6 {
        group.addTask {
          // Room for about a quarter of the keys: everybody evicts everybody.
          let store = try place.open(quotaBytes: 10_000)
          for round in 0..<40 {
            let number = (round * 7 + worker * 3) % 40
            if let content = try store.content(for: "\(number)") {
              #expect(content == Self.bytes(number))
            } else {
              try store.insert(Self.bytes(number), for: "\(number)")
            }
            if round == 20 { try store.sweep() }
          }
        }
      }
      try await group.waitForAll()
    }
    let store = try place.open(quotaBytes: 10_000)
    #expect(try store.sweep() == ContentStore.Sweep())
    #expect(store.recovery == nil)
    #expect(try store.usedBytes() <= 10_000)
    #expect(place.incoming == [])
  }

  @Test func `one store serves many tasks`() async throws {
    let place = try StoreFolder()
    let store = try place.open()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<32 {
        group.addTask {
          try store.insert(Self.bytes(number % 8), for: "\(number)")
          #expect(try store.content(for: "\(number)") == Self.bytes(number % 8))
        }
      }
      try await group.waitForAll()
    }
    #expect(place.contents.count == 8)
  }

  @Test func `stores that meet the same damage repair it once`() async throws {
    let place = try StoreFolder()
    try place.open().insert([1], for: "a")
    try place.folder.write([UInt8](repeating: 7, count: 5_000), to: StoreFolder.index)
    let recoveries = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<6 {
        group.addTask {
          let store = try place.open()
          try store.insert([UInt8(number)], for: "\(number)")
          return store.recovery != nil
        }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(recoveries == 1)
    let store = try place.open()
    for number in 0..<6 { #expect(try store.content(for: "\(number)") == [UInt8(number)]) }
  }

  @Test func `patience with another process ends`() throws {
    let place = try StoreFolder()
    let store = try place.open(patience: .milliseconds(20))
    let lock = Glibc.open("\(place.path)/lock", O_RDWR)
    defer { close(lock) }
    flock(lock, LOCK_EX)
    let error = #expect(throws: ContentStoreError.self) {
      try place.open(patience: .milliseconds(20))
    }
    #expect(error?.code == .busy)
    // Only opening waits for that lock.
    try store.insert([1], for: "a")
  }
}
