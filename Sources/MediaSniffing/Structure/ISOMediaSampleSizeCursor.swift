/// Reads sample sizes one after the other, from `stsz` or `stz2`.
struct SampleSizeCursor {
  /// How many samples have not been read yet.
  private(set) var remaining: Int64

  private var reader: ByteReader
  private let fixedSize: Int64
  private let fieldBits: Int64
  private let table: Int64
  private var index: Int64 = 0

  /// The machine's fault, if reading the table failed.
  var failure: CInt? {
    reader.failure
  }

  /// A cursor before the first sample, or what is wrong with the table.
  static func open(
    _ box: ISOMediaBox,
    _ reader: inout ByteReader
  ) -> Result<SampleSizeCursor, ISOMediaTableProblem> {
    guard let first = reader.bigEndian(at: box.content + 4, count: 4),
      let count = reader.bigEndian(at: box.content + 8, count: 4), box.contentSize >= 12
    else { return .failure(ISOMediaTableProblem("box \(box.name) is too short for its header")) }
    let isCompact = box.type == "stz2"
    let fixedSize = isCompact ? 0 : Int64(first)
    let fieldBits = isCompact ? Int64(first & 0xFF) : 32
    if isCompact, ![4, 8, 16].contains(fieldBits) {
      return .failure(ISOMediaTableProblem("box \(box.name) has fields of \(fieldBits) bits"))
    }
    if fixedSize == 0,
      let problem = ISOMediaTableProblem(
        unless: box,
        header: 12,
        holds: Int64(count),
        entriesOf: fieldBits
      )
    {
      return .failure(problem)
    }
    return .success(
      SampleSizeCursor(
        remaining: Int64(count),
        reader: reader,
        fixedSize: fixedSize,
        fieldBits: fieldBits,
        table: box.content + 12
      )
    )
  }

  /// The sizes of the next samples together, as many as there still are.
  ///
  /// - Parameter samples: How many samples to go forward.
  /// - Returns: Nothing where the sum does not fit 64 bits or the table cannot be read.
  mutating func sum(of samples: Int64) -> Int64? {
    let taken = min(samples, remaining)
    remaining -= taken
    guard fixedSize == 0 else {
      let (product, overflow) = fixedSize.multipliedReportingOverflow(by: taken)
      return overflow ? nil : product
    }
    var sum: Int64 = 0
    for _ in 0..<taken {
      // Sizes are 32 bits wide and a table has at most 2^32 of them, so the sum fits.
      guard let size = nextSize() else { return nil }
      sum += size
    }
    return sum
  }

  private mutating func nextSize() -> Int64? {
    defer { index += 1 }
    switch fieldBits {
    case 4:
      guard let pair = reader.byte(at: table + index / 2) else { return nil }
      return Int64(index.isMultiple(of: 2) ? pair >> 4 : pair & 0x0F)
    case 8: return reader.byte(at: table + index).map(Int64.init)
    case 16: return reader.bigEndian(at: table + index * 2, count: 2).map(Int64.init)
    default: return reader.bigEndian(at: table + index * 4, count: 4).map(Int64.init)
    }
  }
}
