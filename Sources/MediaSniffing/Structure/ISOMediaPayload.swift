/// Finds the media data of an ISO base media file while it comes: what `mdat` boxes of the top
/// level hold.
///
/// Follows the boxes as long as they hold together; anything else is needed to the end. Source:
/// ISO/IEC 14496-12, 4.2 and 8.1.1.
struct ISOMediaPayload: Sendable {
  private enum Place {
    /// A box's header, as far as it is here.
    case header([UInt8])
    /// So many bytes are left of a box.
    case content(left: Int64, isMedia: Bool)
  }

  private var place = Place.header([])

  /// Tells of the next bytes; nothing once all that follows is needed.
  mutating func next(_ bytes: UnsafeRawBufferPointer) -> PayloadSkimmer.Run? {
    // Invariant: the buffer is valid for this call; it is only read, inside its bounds.
    switch place {
    case .header(var header):
      let missing = Self.headerSize(header) - header.count
      let count = min(missing, bytes.count)
      header.append(contentsOf: bytes.prefix(count))
      if header.count < Self.headerSize(header) {
        place = .header(header)
      } else {
        guard let next = Self.content(behind: header) else { return nil }
        place = next
      }
      return PayloadSkimmer.Run(count: count, isNeeded: true)
    case .content(let left, let isMedia):
      let count = Int(min(left, Int64(bytes.count)))
      place = left > count ? .content(left: left - Int64(count), isMedia: isMedia) : .header([])
      return PayloadSkimmer.Run(count: count, isNeeded: !isMedia)
    }
  }

  /// How many bytes the header has in all, by its first eight; eight before they are here.
  private static func headerSize(_ header: [UInt8]) -> Int {
    header.count >= 8 && number(header[..<4]) == 1 ? 16 : 8
  }

  /// What follows a whole header; nothing where it is none.
  private static func content(behind header: [UInt8]) -> Place? {
    let type = FourCharacterCode(UInt32(number(header[4..<8])))
    guard type.isPlausible else { return nil }
    let isMedia = type == "mdat"
    let stated = number(header.count == 16 ? header[8...] : header[..<4])
    // Without a size the box takes the rest of the file.
    if stated == 0, header.count == 8 { return .content(left: .max, isMedia: isMedia) }
    guard let size = Int64(exactly: stated), size >= header.count else { return nil }
    return size == header.count
      ? .header([]) : .content(left: size - Int64(header.count), isMedia: isMedia)
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
