/// Reads chunks one after the other: offsets from `stco` or `co64`, samples a chunk from `stsc`.
struct ChunkCursor {
  /// One run of samples without gaps.
  struct Chunk {
    let number: Int64
    let offset: Int64
    let samples: Int64
  }

  /// How many chunks the offset table counts.
  let count: Int64

  private var offsets: ByteReader
  private var runs: ByteReader
  private let offsetTable: Int64
  private let offsetSize: Int
  private let runTable: Int64
  private let runCount: Int64

  private var number: Int64 = 0
  private var run: Int64 = 0
  private var samples: Int64 = 0
  private var nextRunStart: Int64 = 1

  /// The machine's fault, if reading a table failed.
  var failure: CInt? {
    offsets.failure ?? runs.failure
  }

  /// A cursor before the first chunk, or what is wrong with the tables.
  static func open(
    offsets: ISOMediaBox,
    runs: ISOMediaBox,
    _ reader: inout ByteReader
  ) -> Result<ChunkCursor, ISOMediaTableProblem> {
    guard offsets.contentSize >= 8, runs.contentSize >= 8,
      let chunkCount = reader.bigEndian(at: offsets.content + 4, count: 4),
      let runCount = reader.bigEndian(at: runs.content + 4, count: 4)
    else { return .failure(ISOMediaTableProblem("a chunk table is too short for its header")) }
    let offsetSize = offsets.type == "co64" ? 8 : 4
    let problem =
      ISOMediaTableProblem(
        unless: offsets,
        header: 8,
        holds: Int64(chunkCount),
        entriesOf: Int64(offsetSize) * 8
      )
      ?? ISOMediaTableProblem(unless: runs, header: 8, holds: Int64(runCount), entriesOf: 96)
    if let problem { return .failure(problem) }
    return .success(
      ChunkCursor(
        count: Int64(chunkCount),
        offsets: reader,
        runs: reader,
        offsetTable: offsets.content + 8,
        offsetSize: offsetSize,
        runTable: runs.content + 8,
        runCount: Int64(runCount)
      )
    )
  }

  /// The next chunk, nothing behind the last one, or a contradiction between the tables.
  mutating func next() -> Result<Chunk?, ISOMediaTableProblem> {
    guard number < count else { return .success(nil) }
    number += 1
    if number == nextRunStart, let problem = enterRun() { return .failure(problem) }
    let place = offsetTable + (number - 1) * Int64(offsetSize)
    guard let raw = offsets.bigEndian(at: place, count: offsetSize),
      let offset = Int64(exactly: raw)
    else { return .failure(ISOMediaTableProblem("the offset of chunk \(number) is out of range")) }
    return .success(Chunk(number: number, offset: offset, samples: samples))
  }

  /// Begins the run whose first chunk is the current one, and looks where the next one begins.
  private mutating func enterRun() -> ISOMediaTableProblem? {
    guard run < runCount else { return ISOMediaTableProblem("no entry tells the samples a chunk") }
    guard let first = runs.bigEndian(at: runTable + run * 12, count: 4),
      let samples = runs.bigEndian(at: runTable + run * 12 + 4, count: 4)
    else { return ISOMediaTableProblem("the samples of chunk \(number) cannot be read") }
    guard Int64(first) == number else {
      return ISOMediaTableProblem("the first samples-a-chunk entry begins at chunk \(first)")
    }
    self.samples = Int64(samples)
    run += 1
    // Some writers repeat an entry for the same chunk; players let the last one hold.
    var start: UInt64?
    while run < runCount {
      guard let next = runs.bigEndian(at: runTable + run * 12, count: 4),
        let samples = runs.bigEndian(at: runTable + run * 12 + 4, count: 4)
      else { return ISOMediaTableProblem("samples-a-chunk entry \(run + 1) cannot be read") }
      guard Int64(next) == number else {
        start = next
        break
      }
      self.samples = Int64(samples)
      run += 1
    }
    guard let next = start else {
      nextRunStart = .max
      return nil
    }
    guard Int64(next) > number else {
      return ISOMediaTableProblem(
        "samples-a-chunk entry \(run + 1) begins at chunk \(next), not behind chunk \(number)"
      )
    }
    guard Int64(next) <= count else {
      return ISOMediaTableProblem(
        "samples-a-chunk entry \(run + 1) begins at chunk \(next) of \(count)"
      )
    }
    nextRunStart = Int64(next)
    return nil
  }
}
