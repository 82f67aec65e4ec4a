import AttachmentModel
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
    let body = FetchedBody(in: directory, holding: memory(6), expecting: expected)
    #expect(append([1, 2, 3], to: body) == nil)
    #expect(append([4, 5, 6], to: body) == nil)
    guard case .held(let whole) = body.finish() else {
      Issue.record("not in memory")
      return
    }
    #expect(whole.bytes == [1, 2, 3, 4, 5, 6])
    #expect(try files(in: directory) == [])
  }

  @Test(arguments: [(0, nil), (4, nil), (4, 6), (6, 4), (5, 6)] as [(Int, Int?)])
  func `what grows too large goes on in a file`(limit: Int, expected: Int?) throws {
    let directory = try AttachmentDirectory(in: parent)
    let body = FetchedBody(in: directory, holding: memory(limit), expecting: expected)
    #expect(append([1, 2, 3], to: body) == nil)
    #expect(append([4, 5, 6], to: body) == nil)
    guard case .completed(let file?) = body.finish() else {
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
      let body = FetchedBody(in: directory, holding: memory, expecting: size)
      #expect(append([UInt8](repeating: 7, count: size), to: body) == nil)
      return body.finish()
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
    let body = FetchedBody(in: directory, holding: memory, expecting: expected)
    let share = expected ?? 262_144
    // An array that grew as it pleased would have room for 344,000 after the third.
    for _ in 1...3 { #expect(append([UInt8](repeating: 7, count: 86_000), to: body) == nil) }
    guard case .held(let whole) = body.finish() else {
      Issue.record("not in memory")
      return
    }
    // What the allocator rounds up to may be used, too.
    #expect(whole.bytes.capacity < share + 4_096)
  }

  @Test func `what is stored after all gives its memory back`() throws {
    let directory = try AttachmentDirectory(in: parent)
    let memory = memory(4)
    let body = FetchedBody(in: directory, holding: memory, expecting: 4)
    #expect(memory.share(for: 1) == nil)
    #expect(append([1, 2, 3, 4, 5], to: body) == nil)
    #expect(memory.share(for: 4) != nil)
  }

  @Test(arguments: [0, 4]) func `a body without a byte is nowhere`(limit: Int) throws {
    let directory = try AttachmentDirectory(in: parent)
    let body = FetchedBody(in: directory, holding: memory(limit), expecting: nil)
    #expect(append([], to: body) == nil)
    guard case .completed(nil) = body.finish() else {
      Issue.record("in memory or in a file")
      return
    }
  }

  @Test func `an announced size alone takes no memory`() throws {
    let directory = try AttachmentDirectory(in: parent)
    let body = FetchedBody(in: directory, holding: memory(4), expecting: .max)
    #expect(append([1], to: body) == nil)
    #expect(try files(in: directory).count == 1)
  }

  @Test func `the quota counts what was held once it is stored`() throws {
    let directory = try AttachmentDirectory(in: parent, quota: ByteCount(5))
    let body = FetchedBody(in: directory, holding: memory(4), expecting: nil)
    #expect(append([1, 2, 3], to: body) == nil)
    #expect(append([4, 5, 6], to: body)?.code == .storageFull)
  }

  @Test func `a file that nobody took goes with its body`() throws {
    let directory = try AttachmentDirectory(in: parent)
    do {
      let body = FetchedBody(in: directory, holding: memory(1), expecting: nil)
      #expect(append([1, 2, 3], to: body) == nil)
    }
    #expect(try files(in: directory) == [])
  }
}
