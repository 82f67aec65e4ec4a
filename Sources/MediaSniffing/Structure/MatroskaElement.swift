/// An element of an EBML file: a number that names it, a size, content (RFC 8794, section 4).
struct MatroskaElement {
  let identifier: UInt32
  let content: Int64
  /// Where the content ends; may lie behind the file's end, and is the end of what is around it
  /// where the size is unknown.
  let end: Int64
  let hasKnownSize: Bool

  /// The content's size.
  var size: Int64 {
    end - content
  }

  /// The element at an offset, or nothing where no whole header stands.
  init?(_ reader: inout ByteReader, at offset: Int64, parentEnd: Int64) {
    guard let first = reader.byte(at: offset) else { return nil }
    let nameLength = first.leadingZeroBitCount + 1
    guard nameLength <= 4, let name = reader.bigEndian(at: offset, count: nameLength) else {
      return nil
    }
    let sizeOffset = offset + Int64(nameLength)
    guard let head = reader.byte(at: sizeOffset) else { return nil }
    let length = head.leadingZeroBitCount + 1
    guard length <= 8, let raw = reader.bigEndian(at: sizeOffset, count: length) else { return nil }
    let mask: UInt64 = (1 << UInt64(7 * length)) - 1
    let size = raw & mask
    identifier = UInt32(name)
    content = sizeOffset + Int64(length)
    hasKnownSize = size != mask
    // Sizes have at most 56 bits, so that the sum fits.
    end = hasKnownSize ? content + Int64(size) : max(content, parentEnd)
  }

  /// The content as an unsigned number, or nothing where it is longer than 8 bytes or cut.
  func number(_ reader: inout ByteReader) -> UInt64? {
    guard (1...8).contains(size) else { return nil }
    return reader.bigEndian(at: content, count: Int(size))
  }
}

/// Goes through the elements inside one, in file order.
///
/// An element of unknown size, as live streams have for clusters, is gone into rather than
/// skipped: its children turn up as if they were its siblings.
struct MatroskaWalk {
  private var offset: Int64
  private let limit: Int64

  /// A walk through an element's content.
  init(_ parent: MatroskaElement) {
    offset = parent.content
    limit = parent.end
  }

  /// The next element, or nothing at the end of the parent or of the file.
  mutating func next(_ reader: inout ByteReader) -> MatroskaElement? {
    guard offset < limit,
      let element = MatroskaElement(&reader, at: offset, parentEnd: limit)
    else { return nil }
    offset = element.hasKnownSize ? element.end : element.content
    return element
  }
}
