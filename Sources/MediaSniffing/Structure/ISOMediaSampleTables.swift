/// Where a track's samples lie, by its chunk offsets, samples a chunk, and sample sizes.
///
/// The tables are read entry by entry through windows of their own and never held: a table of a
/// million entries costs time, no memory. Source: ISO/IEC 14496-12, 8.7.
struct ISOMediaSampleTables {
  /// What the tables add up to.
  struct Extent {
    /// How many samples the size table counts.
    var samples: Int64 = 0
    /// The first byte behind the last byte of any sample.
    var end: Int64 = 0
    /// How many chunks there are.
    var chunks: Int64 = 0
    /// How many of them reach past the end of the file.
    var chunksBeyondEnd: Int64 = 0
    /// A contradiction, after which counting was given up.
    var contradiction: String?
  }

  /// `stco` or `co64`.
  var chunkOffsets: ISOMediaBox?
  /// `stsc`.
  var chunkRuns: ISOMediaBox?
  /// `stsz` or `stz2`.
  var sampleSizes: ISOMediaBox?

  /// Adds the tables up; linear in their length.
  func extent(_ reader: inout ByteReader) -> Extent {
    var extent = Extent()
    guard let sampleSizes, sampleSizes.contentSize > 0 else {
      extent.contradiction = "no table of sample sizes"
      locateChunksOnly(&reader, &extent)
      return extent
    }
    var sizes: SampleSizeCursor
    switch SampleSizeCursor.open(sampleSizes, &reader) {
    case .success(let cursor): sizes = cursor
    case .failure(let problem):
      extent.contradiction = problem.detail
      return extent
    }
    extent.samples = sizes.remaining
    guard extent.samples > 0 else { return extent }
    guard let chunkOffsets, let chunkRuns else {
      extent.contradiction = "\(extent.samples) samples but no chunk table"
      return extent
    }
    switch ChunkCursor.open(offsets: chunkOffsets, runs: chunkRuns, &reader) {
    case .success(var chunks):
      extent.chunks = chunks.count
      add(&chunks, &sizes, fileSize: reader.size, to: &extent)
      reader.adoptFailure(of: chunks.failure ?? sizes.failure)
    case .failure(let problem):
      extent.contradiction = problem.detail
    }
    return extent
  }

  /// Without sizes the offsets alone tell whether the file still reaches the data at all.
  private func locateChunksOnly(_ reader: inout ByteReader, _ extent: inout Extent) {
    guard let chunkOffsets, let chunkRuns,
      case .success(var chunks) = ChunkCursor.open(offsets: chunkOffsets, runs: chunkRuns, &reader)
    else { return }
    extent.chunks = chunks.count
    while case .success(let chunk?) = chunks.next() {
      guard chunk.offset >= reader.size else { continue }
      extent.end = max(extent.end, chunk.offset)
      extent.chunksBeyondEnd += 1
    }
    // That the file is cut explains more than that it has no sizes.
    if extent.chunksBeyondEnd > 0 { extent.contradiction = nil }
    reader.adoptFailure(of: chunks.failure)
  }

  private func add(
    _ chunks: inout ChunkCursor,
    _ sizes: inout SampleSizeCursor,
    fileSize: Int64,
    to extent: inout Extent
  ) {
    while sizes.remaining > 0 {
      let chunk: ChunkCursor.Chunk
      switch chunks.next() {
      case .success(let found?): chunk = found
      case .success(nil):
        extent.contradiction =
          "\(sizes.remaining) of \(extent.samples) samples are in none of the \(extent.chunks) chunks"
        return
      case .failure(let problem):
        extent.contradiction = problem.detail
        return
      }
      guard let bytes = sizes.sum(of: chunk.samples) else {
        extent.contradiction = "the sizes of the samples in chunk \(chunk.number) overflow"
        return
      }
      let (end, overflow) = chunk.offset.addingReportingOverflow(bytes)
      guard !overflow else {
        extent.contradiction = "chunk \(chunk.number) at \(chunk.offset) overflows"
        return
      }
      extent.end = max(extent.end, end)
      if end > fileSize { extent.chunksBeyondEnd += 1 }
    }
  }
}

/// A contradiction in a table.
struct ISOMediaTableProblem: Error {
  let detail: String

  /// Makes sure that a table's entries fit the box that holds them.
  ///
  /// - Parameters:
  ///   - box: The box.
  ///   - header: How many bytes of its content come before the entries.
  ///   - count: How many entries it promises.
  ///   - bits: The size of an entry in bits.
  init?(unless box: ISOMediaBox, header: Int64, holds count: Int64, entriesOf bits: Int64) {
    let room = max(0, box.contentSize - header)
    // Counts are 32 bits wide and entries at most 96, so the product fits.
    guard (count * bits + 7) / 8 > room else { return nil }
    detail = "box \(box.name) promises \(count) entries and has room for \(room * 8 / bits)"
  }

  init(_ detail: String) {
    self.detail = detail
  }
}
