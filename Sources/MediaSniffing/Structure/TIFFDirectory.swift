/// The first image file directory of a TIFF file, or of the Exif block that other formats embed.
///
/// Source: TIFF 6.0, section 2; Exif 2.32, section 4.6. Later directories are never followed: the
/// second one in an Exif block describes the thumbnail, with an orientation of its own.
struct TIFFDirectory {
  /// Pixels across (tag 256).
  private(set) var width: Int?
  /// Pixels down (tag 257).
  private(set) var height: Int?
  /// Orientation 1 to 8 (tag 274); other values count as absent.
  private(set) var orientation: Int?
  /// Whether the GPS directory states a latitude or a longitude.
  private(set) var hasLocation = false

  private let start: Int64
  private let end: Int64
  private let isLittleEndian: Bool
  private let isBig: Bool

  /// More entries than any writer makes; the rest is not read.
  private static let mostEntries = 1_024

  /// Reads the directory, or nothing where no TIFF header stands at `start`.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - start: Where the TIFF header stands; offsets inside count from there.
  ///   - end: Where the block ends; nothing behind it is read.
  init?(_ reader: inout ByteReader, from start: Int64, to end: Int64) {
    self.start = start
    self.end = min(end, reader.size)
    guard start >= 0, let order = reader.bigEndian(at: start, count: 2),
      order == 0x4949 || order == 0x4D4D
    else { return nil }
    isLittleEndian = order == 0x4949
    let version =
      isLittleEndian
      ? reader.littleEndian(at: start + 2, count: 2) : reader.bigEndian(at: start + 2, count: 2)
    guard version == 42 || version == 43 else { return nil }
    isBig = version == 43
    guard let directory = number(&reader, at: isBig ? 8 : 4, count: isBig ? 8 : 4) else { return }
    var gps: Int64?
    for entry in entries(&reader, at: directory) {
      switch entry.tag {
      case 256: width = dimension(entry.value)
      case 257: height = dimension(entry.value)
      case 274: orientation = (1...8).contains(entry.value) ? Int(entry.value) : nil
      case 0x8825: gps = entry.value
      default: break
      }
    }
    if let gps {
      // Tags 2 and 4: latitude and longitude, three rationals each.
      hasLocation = entries(&reader, at: gps).contains { [2, 4].contains($0.tag) && $0.count >= 3 }
    }
  }

  private struct Entry {
    var tag: Int64
    var count: Int64
    /// The value of a short or long, or the offset of what does not fit.
    var value: Int64
  }

  private func entries(_ reader: inout ByteReader, at offset: Int64) -> [Entry] {
    guard offset >= 8, let announced = number(&reader, at: offset, count: isBig ? 8 : 2) else {
      return []
    }
    let size: Int64 = isBig ? 20 : 12
    var position = offset + (isBig ? 8 : 2)
    var entries: [Entry] = []
    for _ in 0..<min(announced, Int64(Self.mostEntries)) {
      guard let tag = number(&reader, at: position, count: 2),
        let type = number(&reader, at: position + 2, count: 2),
        let count = number(&reader, at: position + 4, count: isBig ? 8 : 4),
        // A short stands in the first two bytes of the field, in either byte order.
        let value = number(
          &reader,
          at: position + (isBig ? 12 : 8),
          count: type == 3 ? 2 : isBig ? 8 : 4
        )
      else { break }
      entries.append(Entry(tag: tag, count: count, value: value))
      position += size
    }
    return entries
  }

  private func number(_ reader: inout ByteReader, at offset: Int64, count: Int) -> Int64? {
    let (position, overflow) = start.addingReportingOverflow(offset)
    guard !overflow, offset >= 0, position <= end - Int64(count) else { return nil }
    let value =
      isLittleEndian
      ? reader.littleEndian(at: position, count: count)
      : reader.bigEndian(at: position, count: count)
    return value.flatMap { Int64(exactly: $0) }
  }

  private func dimension(_ value: Int64) -> Int? {
    (1...Int64(Int32.max)).contains(value) ? Int(value) : nil
  }
}
