/// The samples of one track in one fragment: a header (`tfhd`) and its runs (`trun`).
struct ISOMediaTrackRun {
  let track: UInt32
  /// Where the next sample would begin.
  private(set) var offset: Int64
  /// The first byte behind the last sample.
  private(set) var end: Int64 = 0
  private(set) var samples: Int64 = 0
  private(set) var duration: UInt64 = 0

  private let base: Int64
  private var defaultSize: UInt32
  private var defaultDuration: UInt32

  /// Reads a track fragment's header; nothing where it is too short or out of range.
  init?(
    header box: ISOMediaBox,
    track: UInt32,
    defaults: ISOMediaMovie.FragmentDefaults?,
    fragmentStart: Int64,
    implicitBase: Int64,
    _ reader: inout ByteReader
  ) {
    guard let flags = reader.bigEndian(at: box.content, count: 4) else { return nil }
    self.track = track
    defaultSize = defaults?.size ?? 0
    defaultDuration = defaults?.duration ?? 0
    var field = box.content + 8
    var explicitBase: Int64?
    if flags & 0x01 != 0 {
      guard let raw = reader.bigEndian(at: field, count: 8), let base = Int64(exactly: raw) else {
        return nil
      }
      explicitBase = base
      field += 8
    }
    if flags & 0x02 != 0 { field += 4 }
    if flags & 0x08 != 0 {
      defaultDuration = UInt32(reader.bigEndian(at: field, count: 4) ?? 0)
      field += 4
    }
    if flags & 0x10 != 0 {
      defaultSize = UInt32(reader.bigEndian(at: field, count: 4) ?? 0)
      field += 4
    }
    guard field <= box.end else { return nil }
    base = explicitBase ?? (flags & 0x02_0000 != 0 ? fragmentStart : implicitBase)
    offset = base
  }

  /// Adds a run's samples; linear in its entries.
  ///
  /// - Parameters:
  ///   - box: The `trun` box.
  ///   - reader: The file.
  /// - Returns: What is wrong with it, if anything.
  mutating func add(_ box: ISOMediaBox, _ reader: inout ByteReader) -> String? {
    guard let flags = reader.bigEndian(at: box.content, count: 4),
      let rawCount = reader.bigEndian(at: box.content + 4, count: 4)
    else { return nil }
    let count = Int64(rawCount)
    var field = box.content + 8
    if flags & 0x01 != 0 {
      guard let raw = reader.bigEndian(at: field, count: 4) else { return nil }
      let (start, overflow) = base.addingReportingOverflow(
        Int64(Int32(truncatingIfNeeded: raw))
      )
      guard !overflow, start >= 0 else { return "the data of box \(box.name) begin at \(start)" }
      offset = start
      field += 4
    }
    if flags & 0x04 != 0 { field += 4 }

    let hasDuration = flags & 0x100 != 0
    let hasSize = flags & 0x200 != 0
    let fields = [0x100, 0x200, 0x400, 0x800].count { flags & UInt64($0) != 0 }
    let entrySize = Int64(fields) * 4
    guard field + count * entrySize <= box.end else {
      return "box \(box.name) promises \(count) samples of \(entrySize) bytes "
        + "and has \(max(0, box.end - field)) bytes"
    }
    let (fixedBytes, tooMany) = Int64(defaultSize).multipliedReportingOverflow(by: count)
    guard hasSize || !tooMany else { return "the data of box \(box.name) overflow" }
    var bytes = hasSize ? 0 : fixedBytes
    var time = hasDuration ? 0 : UInt64(defaultDuration) * UInt64(count)
    if hasSize || hasDuration {
      for index in 0..<count {
        let entry = field + index * entrySize
        if hasDuration {
          guard let value = reader.bigEndian(at: entry, count: 4) else { return nil }
          time += value
        }
        if hasSize {
          guard let value = reader.bigEndian(at: entry + (hasDuration ? 4 : 0), count: 4) else {
            return nil
          }
          bytes += Int64(value)
        }
      }
    }
    let (runEnd, overflow) = offset.addingReportingOverflow(bytes)
    guard !overflow else { return "the data of box \(box.name) overflow" }
    if bytes > 0 { end = max(end, runEnd) }
    offset = runEnd
    samples = samples.addingReportingOverflow(count).partialValue
    let (total, tooLong) = duration.addingReportingOverflow(time)
    if !tooLong { duration = total }
    return nil
  }
}
