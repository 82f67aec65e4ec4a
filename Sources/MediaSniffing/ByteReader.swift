public import AttachmentModel
import Glibc

/// A bounds-checked view of a file through a sliding window, filled with `pread`.
///
/// Nothing is mapped: a file that another process cuts while it is read yields nothing past its
/// new end, where a mapping would kill the process with SIGBUS. Offsets are 64-bit and every sum
/// is checked. Files up to the window's size are read with one call.
public struct ByteReader {
  /// How much is read at a time.
  ///
  /// Under the size from which malloc asks the system for pages, which would be cleared anew for
  /// each window, and small enough to stay in a core's cache.
  public static let windowSize = 96 * 1_024
  /// The most bytes that are handed out at once.
  static let longestRun = 256 * 1_024

  /// How many bytes there are; nothing lies at or behind this offset.
  public let size: Int64

  private let descriptor: CInt
  /// What stands in the place of a file where not all of its bytes were kept.
  private let sparse: SparseBytes?
  /// Where the bytes begin in the file; every other offset counts from here.
  private let origin: Int64
  private var window: [UInt8] = []
  private var windowStart: Int64 = 0
  /// Where what is read now ends: inside the file.
  private var limit: Int64
  /// Set once a read failed; the caller looks at it at the end and reports a machine fault.
  public private(set) var failure: CInt?

  /// A reader of a run of bytes in an open, seekable file.
  public init(_ slice: FileSlice) {
    descriptor = slice.descriptor
    sparse = nil
    origin = slice.offset
    size = max(0, min(slice.size.bytes, Int64.max - slice.offset))
    limit = size
  }

  /// A reader of bytes in memory, as for a prefix and in tests.
  public init(_ bytes: [UInt8]) {
    descriptor = -1
    sparse = nil
    origin = 0
    size = Int64(bytes.count)
    limit = size
    window = bytes
  }

  /// A reader of a file's content in memory; what was left out reads as zeros.
  public init(_ content: SparseBytes) {
    descriptor = -1
    origin = 0
    size = content.size
    limit = size
    sparse = content.isWhole ? nil : content
    if content.isWhole { window = content.kept }
  }

  /// Reads a part of the file: nothing that lies behind its end is there meanwhile.
  ///
  /// A box may be too short for the fields that belong in it; what stands behind it is not its own.
  ///
  /// - Parameters:
  ///   - end: Where the part ends; beyond the file's end, that is the end.
  ///   - read: What is read.
  /// - Returns: What came of it.
  mutating func within<Result>(
    _ end: Int64,
    _ read: (inout ByteReader) -> Result
  ) -> Result {
    let outer = limit
    limit = min(outer, max(0, end))
    defer { limit = outer }
    return read(&self)
  }

  /// The byte at an offset, or nothing outside the file.
  public mutating func byte(at offset: Int64) -> UInt8? {
    guard load(offset, count: 1) else { return nil }
    return window[Int(offset - windowStart)]
  }

  /// A big-endian unsigned integer of 1 to 8 bytes, or nothing where it is not all there.
  public mutating func bigEndian(at offset: Int64, count: Int) -> UInt64? {
    precondition((1...8).contains(count))
    guard load(offset, count: count) else { return nil }
    let start = Int(offset - windowStart)
    return window[start..<start + count].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// A little-endian unsigned integer of 1 to 8 bytes, or nothing where it is not all there.
  public mutating func littleEndian(at offset: Int64, count: Int) -> UInt64? {
    precondition((1...8).contains(count))
    guard load(offset, count: count) else { return nil }
    let start = Int(offset - windowStart)
    return window[start..<start + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The bytes of a range that must lie inside the file and be at most 256 KiB long.
  public mutating func bytes(at offset: Int64, count: Int) -> ArraySlice<UInt8>? {
    guard count > 0 else { return count == 0 && offset >= 0 && offset <= limit ? [] : nil }
    guard count <= Self.longestRun, load(offset, count: count) else { return nil }
    let start = Int(offset - windowStart)
    return window[start..<start + count]
  }

  /// As many bytes as there are from an offset, at most `limit`; empty outside the file.
  public mutating func prefix(at offset: Int64, upTo limit: Int) -> ArraySlice<UInt8> {
    guard offset >= 0, offset < self.limit else { return [] }
    let count = min(Int64(min(limit, Self.longestRun)), self.limit - offset)
    return bytes(at: offset, count: Int(count)) ?? []
  }

  /// The bytes from an offset that cost no second reading: at least one, at most `limit`.
  ///
  /// For whoever goes through a range from end to end, however long it is; empty outside the file.
  ///
  /// - Parameters:
  ///   - offset: Where to begin.
  ///   - limit: The most bytes wanted.
  /// - Returns: What the window holds from there, after filling it if it held nothing.
  public mutating func run(at offset: Int64, upTo limit: Int64) -> ArraySlice<UInt8> {
    guard limit > 0, load(offset, count: 1) else { return [] }
    let start = Int(offset - windowStart)
    let count = min(limit, self.limit - offset, Int64(window.count - start))
    return window[start..<start + Int(count)]
  }

  /// The offset of the first such byte whose successor passes a test, at or behind an offset.
  ///
  /// - Parameters:
  ///   - wanted: The byte to look for, not zero; two of them may stand side by side.
  ///   - offset: Where to begin.
  ///   - isEnd: The test; called with the byte behind each one that is found.
  /// - Returns: An offset from the file's beginning, or nothing up to the file's end.
  mutating func firstIndex(
    of wanted: UInt8,
    from offset: Int64,
    before isEnd: (UInt8) -> Bool
  ) -> Int64? {
    var position = offset
    while true {
      // Among the zeros of a gap there is nothing to be found.
      if let sparse {
        position = max(position, sparse.run(endingBehind: position)?.lowerBound ?? size)
      }
      guard load(position, count: 2) else { return nil }
      let start = Int(position - windowStart)
      // Invariant: start <= index <= last, and memchr looks at base[index..<last] only, which lies
      // inside the buffer and leaves each byte that is found a successor.
      let found: Int? = window.withUnsafeBytes { buffer in
        guard let base = buffer.baseAddress else { return nil }
        let last = buffer.count - 1
        var index = start
        while index < last, let hit = memchr(base + index, CInt(wanted), last - index) {
          // Invariant: hit points into the buffer that begins at base.
          let place = UnsafeRawPointer(hit) - base
          if isEnd(buffer[place + 1]) { return place }
          index = place + 1
        }
        return nil
      }
      if let found { return windowStart + Int64(found) }
      position = windowStart + Int64(window.count) - 1
    }
  }

  /// Whether the bytes at an offset are these.
  public mutating func matches(_ expected: some Collection<UInt8>, at offset: Int64) -> Bool {
    bytes(at: offset, count: expected.count)?.elementsEqual(expected) ?? false
  }

  /// Takes over the fault of a copy that read on through a window of its own.
  mutating func adoptFailure(of other: CInt?) {
    failure = failure ?? other
  }

  /// Makes the window cover a range; false where the range is not inside the file.
  private mutating func load(_ offset: Int64, count: Int) -> Bool {
    let (end, overflow) = offset.addingReportingOverflow(Int64(count))
    guard offset >= 0, !overflow, end <= limit else { return false }
    if offset >= windowStart, end <= windowStart + Int64(window.count) { return true }
    if let sparse {
      // As far as bytes lie side by side: a long gap is not worth a window of zeros.
      let run = sparse.run(endingBehind: offset)?.upperBound ?? size
      let last = max(end, min(run, offset + Int64(Self.windowSize)))
      window = sparse.bytes(in: offset..<last)
      windowStart = offset
      return true
    }
    guard descriptor >= 0, failure == nil else { return false }
    let wanted = Int(min(Int64(max(Self.windowSize, count)), size - offset))
    var filled = 0
    let file = descriptor
    // It cannot overflow: size was cut so that origin + size does not.
    let start = origin + offset
    var problem: CInt?
    // Invariant: base + filled stays inside the buffer, for filled < wanted = its capacity, and
    // what pread says it wrote is what counts as initialized.
    window = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, initialized in
      while filled < wanted, let base = buffer.baseAddress {
        let got = pread(file, base + filled, wanted - filled, off_t(start) + off_t(filled))
        if got > 0 {
          filled += got
        } else if got == 0 || errno != EINTR {
          if got < 0 { problem = errno }
          break
        }
      }
      initialized = filled
    }
    windowStart = offset
    failure = problem
    return filled >= count
  }
}
