import AttachmentModel
import Glibc
import Pipeline
import Synchronization

/// Checks the lines of a batch, a few at a time, as fast as their reports are taken.
final class BatchRun: Sendable {
  private let file: AttachmentFile
  private let rooms: ServiceRooms
  private let turns: Mutex<BatchTurns>
  /// How many lines are checked at once.
  private let width: Int
  private let task = Mutex<Task<Void, Never>?>(nil)

  /// A run over a spooled body, which it removes at the end.
  init(_ file: AttachmentFile, _ rooms: ServiceRooms) {
    self.file = file
    self.rooms = rooms
    // Half of the checks at most: others have requests, too.
    width = max(1, rooms.configuration.limits.checks / 2)
    turns = Mutex(BatchTurns(LineReader(file), rooms.orders, share: max(1, width / 2)))
  }

  /// Begins; the reports come through the stream.
  ///
  /// A client that goes away ends the run.
  func start() -> AnswerStream {
    let stream = AnswerStream { [self] in task.withLock { $0 }?.cancel() }
    task.withLock { task in
      task = Task { [self] in
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<self.width { group.addTask { await self.work(stream) } }
        }
        rooms.pipeline.discard(file)
        stream.finish()
        self.task.withLock { $0 = nil }
      }
    }
    return stream
  }

  private func work(_ stream: AnswerStream) async {
    while !Task.isCancelled, let line = turns.withLock({ $0.next() }) {
      let answer = await answer(line)
      turns.withLock { $0.finish(line) }
      let numbered = ResultLinks.splice(
        [.init(name: "line", value: .number(Int64(line.number)))],
        into: answer
      )
      guard await stream.send(numbered + [10]) else { return }
    }
  }

  private func answer(_ line: BatchTurns.Line) async -> [UInt8] {
    do throws(Problem) {
      if rooms.isDraining() { throw HTTPService.draining }
      let finding = try await rooms.desk.perform(
        try line.request.get(),
        on: .address,
        as: CheckDesk.makeIdentifier(),
        .patient
      )
      return finding.json
    } catch {
      guard case .bytes(let bytes) = error.answer.body else { return Array("{}".utf8) }
      return Array(bytes.dropLast())
    }
  }
}

/// Reads a file line by line.
struct LineReader: Sendable {
  /// A longer line is no request; what is beyond is passed over.
  static let longestLine = 64 << 10

  private let file: AttachmentFile
  private var offset: off_t = 0
  private var buffer: ArraySlice<UInt8> = []
  private var number = 0

  init(_ file: AttachmentFile) {
    self.file = file
  }

  /// The next line with its number, which begins with 1; nothing at the end.
  ///
  /// A line that is too long comes as one byte more than there may be.
  mutating func next() -> (number: Int, line: [UInt8])? {
    var line: [UInt8] = []
    var hasAny = false
    while true {
      if buffer.isEmpty {
        fill()
        guard !buffer.isEmpty else { break }
      }
      hasAny = true
      let end = buffer.firstIndex(of: 10)
      let piece = buffer[..<(end ?? buffer.endIndex)]
      line += piece.prefix(max(0, Self.longestLine + 1 - line.count))
      buffer = buffer[(end.map { $0 + 1 } ?? buffer.endIndex)...]
      if end != nil { break }
    }
    guard hasAny else { return nil }
    number += 1
    if line.last == 13 { line.removeLast() }
    return (number, line)
  }

  private mutating func fill() {
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    let count = pread(file.descriptor, &piece, piece.count, offset)
    guard count > 0 else { return }
    offset += off_t(count)
    buffer = piece.prefix(count)
  }
}
