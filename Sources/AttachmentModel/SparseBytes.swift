/// A file's content in memory, without the bytes that nobody looks at.
///
/// What was left out reads as zeros, as a hole in a file does.
public struct SparseBytes: Sendable {
  /// Bytes that were kept side by side.
  private struct Run {
    /// Where they begin in the file.
    var offset: Int64
    /// Where they begin among those kept.
    var index: Int
  }

  /// How many bytes there are, those that were left out included.
  public private(set) var size: Int64 = 0
  /// The bytes that were kept, one behind the other.
  public private(set) var kept: [UInt8]

  /// In order; neighbours are apart.
  private var runs: [Run] = []
  private var endsInHole = false

  /// Nothing yet.
  public init() {
    kept = []
  }

  /// All of a file.
  public init(_ bytes: [UInt8]) {
    kept = bytes
    size = Int64(bytes.count)
    if !bytes.isEmpty { runs.append(Run(offset: 0, index: 0)) }
  }

  /// Whether nothing was left out.
  public var isWhole: Bool {
    size == kept.count
  }

  /// How much memory it takes, in bytes; what is whole takes no more than its bytes.
  public var cost: Int {
    kept.count + max(0, runs.count - 1) * MemoryLayout<Run>.stride
  }

  /// Takes room for the bytes that are kept, as many as that in all.
  public mutating func reserve(_ count: Int) {
    kept.reserveCapacity(count)
  }

  /// Goes on with bytes that are kept.
  public mutating func append(_ bytes: UnsafeRawBufferPointer) {
    // Invariant: the buffer is valid for this call; it is only read.
    guard !bytes.isEmpty else { return }
    if runs.isEmpty || endsInHole { runs.append(Run(offset: size, index: kept.count)) }
    endsInHole = false
    kept.append(contentsOf: bytes)
    size += Int64(bytes.count)
  }

  /// Goes on with bytes that are left out.
  public mutating func skip(_ count: Int) {
    guard count > 0 else { return }
    endsInHole = true
    size += Int64(count)
  }

  /// The first range of bytes side by side that were kept, and that ends behind an offset.
  public func run(endingBehind offset: Int64) -> Range<Int64>? {
    index(endingBehind: offset).map(range)
  }

  /// Bytes of the file, with zeros for what was left out.
  ///
  /// - Parameter range: Which; it must lie in the file.
  /// - Returns: A copy of them.
  public func bytes(in range: Range<Int64>) -> [UInt8] {
    precondition(range.lowerBound >= 0 && range.upperBound <= size)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    var next = index(endingBehind: range.lowerBound) ?? runs.endIndex
    var position = range.lowerBound
    while position < range.upperBound {
      let run = next < runs.endIndex ? self.range(of: next) : size..<size
      let start = min(max(run.lowerBound, position), range.upperBound)
      bytes.append(contentsOf: repeatElement(0, count: Int(start - position)))
      let end = min(run.upperBound, range.upperBound)
      if start < end {
        let first = runs[next].index + Int(start - run.lowerBound)
        bytes.append(contentsOf: kept[first..<first + Int(end - start)])
      }
      position = max(start, end)
      next += 1
    }
    return bytes
  }

  private func range(of place: Int) -> Range<Int64> {
    let run = runs[place]
    let end = place + 1 < runs.endIndex ? runs[place + 1].index : kept.count
    return run.offset..<run.offset + Int64(end - run.index)
  }

  /// By halving: a hostile file may have many thousands.
  private func index(endingBehind offset: Int64) -> Int? {
    var low = 0
    var high = runs.endIndex
    while low < high {
      let middle = low + (high - low) / 2
      if range(of: middle).upperBound > offset { high = middle } else { low = middle + 1 }
    }
    return low < runs.endIndex ? low : nil
  }
}
