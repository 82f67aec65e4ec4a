import AttachmentModel
import Cryptography
import Downloading
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
final class FetchedBodyTests {
  private let parent: String

  init() throws {
    parent = NSTemporaryDirectory() + "affix-bodies-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: parent)
  }

  private func append(_ bytes: [UInt8], to body: FetchedBody) -> DownloadError? {
    // Invariant: the buffer lives as long as the call.
    bytes.withUnsafeBytes { body.append($0) }
  }

  /// A body that needs no file.
  private func body(
    in directory: AttachmentDirectory,
    holding memory: BodyMemory,
    expecting expected: Int? = nil,
    under rules: BodyRules = BodyRules()
  ) -> FetchedBody {
    var rules = rules
    rules.needsFile = false
    return FetchedBody(in: directory, holding: memory, expecting: expected, under: rules)
  }

  private func memory(_ capacity: Int) -> BodyMemory {
    BodyMemory(capacity, largest: capacity)
  }

  /// The stored files; the directory's lock is no attachment.
  private func files(in directory: AttachmentDirectory) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { $0 != "lock" }
  }

  private func content(_ file: AttachmentFile) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: file.path)))
  }

  @Test(arguments: [nil, 6]) func `a small body leaves no trace on disk`(expected: Int?) throws {
    let directory = try AttachmentDirectory(in: parent, quota: ByteCount(1))
    let body = body(in: directory, holding: memory(6), expecting: expected)
    #expect(append([1, 2, 3], to: body) == nil)
    #expect(append([4, 5, 6], to: body) == nil)
    guard case .held(let whole) = body.finish().ending else {
      Issue.record("not in memory")
      return
    }
    #expect(whole.content.kept == [1, 2, 3, 4, 5, 6])
    #expect(try files(in: directory) == [])
  }

  @Test(arguments: [(0, nil), (4, nil), (4, 6), (5, 4), (5, 6)] as [(Int, Int?)])
  func `what grows too large goes on in a file`(limit: Int, expected: Int?) throws {
    let directory = try AttachmentDirectory(in: parent)
    let body = body(in: directory, holding: memory(limit), expecting: expected)
    #expect(append([1, 2, 3], to: body) == nil)
    #expect(append([4, 5, 6], to: body) == nil)
    guard case .completed(let file?) = body.finish().ending else {
      Issue.record("not in a file")
      return
    }
    #expect(try content(file) == [1, 2, 3, 4, 5, 6])
    #expect(file.size == ByteCount(6))
  }

  @Test func `memory is shared by all bodies, and given back with them`() throws {
    let directory = try AttachmentDirectory(in: parent)
    let memory = BodyMemory(8, largest: 6)
    func ending(of size: Int) -> Download.Ending {
      let body = body(in: directory, holding: memory, expecting: size)
      #expect(append([UInt8](repeating: 7, count: size), to: body) == nil)
      return body.finish().ending
    }
    func isHeld(_ ending: Download.Ending) -> Bool {
      if case .held = ending { true } else { false }
    }
    var first: Download.Ending? = ending(of: 5)
    #expect(first.map(isHeld) == true)
    #expect(!isHeld(ending(of: 4)))
    let second = ending(of: 3)
    #expect(isHeld(second))
    #expect(!isHeld(ending(of: 5)))
    first = nil
    #expect(isHeld(ending(of: 5)))
    #expect(!isHeld(ending(of: 7)))
    #expect(isHeld(second))
  }

  @Test(arguments: [nil, 300_000]) func `a held body takes no more memory than its share`(
    expected: Int?
  ) throws {
    let directory = try AttachmentDirectory(in: parent)
    let memory = memory(300_000)
    let body = body(in: directory, holding: memory, expecting: expected)
    let share = expected ?? 262_144
    // An array that grew as it pleased would have room for 344,000 after the third.
    for _ in 1...3 { #expect(append([UInt8](repeating: 7, count: 86_000), to: body) == nil) }
    guard case .held(let whole) = body.finish().ending else {
      Issue.record("not in memory")
      return
    }
    // What the allocator rounds up to may be used, too.
    #expect(whole.content.kept.capacity < share + 4_096)
  }

  @Test func `what is stored after all gives its memory back`() throws {
    let directory = try AttachmentDirectory(in: parent)
    let memory = memory(4)
    let body = body(in: directory, holding: memory, expecting: 4)
    #expect(memory.share(for: 1) == nil)
    #expect(append([1, 2, 3, 4, 5], to: body) == nil)
    #expect(memory.share(for: 4) != nil)
  }

  @Test(arguments: [0, 4]) func `a body without a byte is nowhere`(limit: Int) throws {
    let directory = try AttachmentDirectory(in: parent)
    let body = body(in: directory, holding: memory(limit))
    #expect(append([], to: body) == nil)
    guard case .completed(nil) = body.finish().ending else {
      Issue.record("in memory or in a file")
      return
    }
  }

  @Test func `an announced size alone takes no memory`() throws {
    let directory = try AttachmentDirectory(in: parent)
    let body = body(in: directory, holding: memory(4), expecting: .max)
    #expect(append([1], to: body) == nil)
    #expect(try files(in: directory).count == 1)
  }

  @Test func `the quota counts what was held once it is stored`() throws {
    let directory = try AttachmentDirectory(in: parent, quota: ByteCount(5))
    let body = body(in: directory, holding: memory(4))
    #expect(append([1, 2, 3], to: body) == nil)
    #expect(append([4, 5, 6], to: body)?.code == .storageFull)
  }

  @Test func `a file that nobody took goes with its body`() throws {
    let directory = try AttachmentDirectory(in: parent)
    do {
      let body = body(in: directory, holding: memory(1))
      #expect(append([1, 2, 3], to: body) == nil)
    }
    #expect(try files(in: directory) == [])
  }

  /// Rules by which the first of every ten blocks is needed, and everything is hashed.
  private var sparing: BodyRules {
    var rules = BodyRules()
    rules.hashes = true
    rules.makeSkimmer = {
      var passed = 0
      return { bytes in
        let isNeeded = passed / Self.block % 10 == 0
        let count = min(bytes.count, Self.block - passed % Self.block)
        passed += count
        return (count, isNeeded)
      }
    }
    return rules
  }

  private static let block = 10_000

  /// Feeds 25 blocks, in pieces of two; tells what the rules above leave of them, and their hash.
  private func feed(_ body: FetchedBody) -> (left: [UInt8], sha256: String) {
    let hasher = SHA256Hasher()
    var left: [UInt8] = []
    var piece: [UInt8] = []
    for index in 0..<25 {
      let bytes = [UInt8](repeating: UInt8(index + 1), count: Self.block)
      hasher.update(bytes)
      left += index % 10 == 0 ? bytes : [UInt8](repeating: 0, count: Self.block)
      piece += bytes
      guard index % 2 == 1 || index == 24 else { continue }
      #expect(append(piece, to: body) == nil)
      piece = []
    }
    return (left, hasher.finalize().hexadecimal)
  }

  @Test(arguments: [nil, 250_000])
  func `bytes that nobody needs take no memory`(expected: Int?) throws {
    let directory = try AttachmentDirectory(in: parent, quota: ByteCount(1))
    let body = body(in: directory, holding: memory(98_304), expecting: expected, under: sparing)
    let (left, hash) = feed(body)
    let (ending, sha256) = body.finish()
    guard case .held(let held) = ending else {
      Issue.record("not in memory")
      return
    }
    #expect(held.content.kept.count == 30_000)
    #expect(held.content.bytes(in: 0..<250_000) == left)
    #expect(sha256 == hash)
  }

  @Test(arguments: [0, 2_000]) func `what is needed of a body can go on in a file`(
    limit: Int
  ) throws {
    let directory = try AttachmentDirectory(in: parent)
    let body = body(in: directory, holding: memory(limit), under: sparing)
    let (left, hash) = feed(body)
    let (ending, sha256) = body.finish()
    guard case .completed(let file?) = ending else {
      Issue.record("not in a file")
      return
    }
    #expect(file.size == ByteCount(250_000))
    #expect(try content(file) == left)
    var status = stat()
    #expect(fstat(file.descriptor, &status) == 0 && status.st_blocks * 512 < 100_000)
    #expect(sha256 == hash)
  }

  @Test func `where a file is needed, every byte is`() throws {
    let directory = try AttachmentDirectory(in: parent)
    let memory = memory(300_000)
    let body = FetchedBody(in: directory, holding: memory, expecting: nil, under: sparing)
    let (_, hash) = feed(body)
    let (ending, sha256) = body.finish()
    guard case .completed(let file?) = ending else {
      Issue.record("not in a file")
      return
    }
    #expect(SHA256Hasher.digest(ofFile: file.descriptor)?.hexadecimal == hash)
    #expect(sha256 == hash)
  }

  @Test func `the quota counts what takes room, and gives it back`() throws {
    let directory = try AttachmentDirectory(in: parent, quota: ByteCount(30_000))
    for _ in 1...2 {
      let body = body(in: directory, holding: memory(0), under: sparing)
      _ = feed(body)
      guard case .completed(let file?) = body.finish().ending else {
        Issue.record("not in a file")
        return
      }
      #expect(file.size == ByteCount(250_000) && file.storedSize == ByteCount(30_000))
      let other = self.body(in: directory, holding: memory(0), under: sparing)
      #expect(append([1], to: other)?.code == .storageFull)
      directory.discard(file)
    }
  }

  @Test func `short gaps are none in a file`() throws {
    let directory = try AttachmentDirectory(in: parent)
    var rules = BodyRules()
    rules.makeSkimmer = {
      var isNeeded = false
      return { bytes in
        isNeeded.toggle()
        return (min(bytes.count, isNeeded ? 1 : 300), isNeeded)
      }
    }
    let body = body(in: directory, holding: memory(0), under: rules)
    #expect(append([UInt8](repeating: 7, count: 3_010), to: body) == nil)
    guard case .completed(let file?) = body.finish().ending else {
      Issue.record("not in a file")
      return
    }
    #expect(try content(file) == [UInt8](repeating: 7, count: 3_010))
    #expect(file.storedSize == ByteCount(3_010))
  }
}
