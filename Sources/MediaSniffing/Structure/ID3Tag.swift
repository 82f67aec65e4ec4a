/// An ID3v2 tag: its extent, and where in it a cover lies.
///
/// Source: the ID3v2.2, 2.3 and 2.4 informal standards (id3.org).
struct ID3Tag {
  let start: Int64
  /// The first byte behind the tag, its padding and its footer; may lie behind the file's end.
  let end: Int64
  /// The bytes of the front cover, or of the first picture, as they stand in the file.
  private(set) var coverArt: Range<Int64>?

  private let major: UInt8
  private let frames: Range<Int64>

  /// The tag at an offset, or nothing where there is none.
  ///
  /// A size whose bytes have their top bit set is no tag: the format reserves that bit so that
  /// no tag looks like a frame of audio.
  init?(_ reader: inout ByteReader, at offset: Int64) {
    guard let header = reader.bytes(at: offset, count: 10).map(Array.init),
      header[0...2].elementsEqual("ID3".utf8), (2...4).contains(header[3]), header[4] != 0xFF,
      let size = Self.syncsafe(header[6...9])
    else { return nil }
    start = offset
    major = header[3]
    let flags = header[5]
    let hasFooter = major == 4 && flags & 0x10 != 0
    var first = offset + 10
    let last = first + size
    end = last + (hasFooter ? 10 : 0)
    if major > 2, flags & 0x40 != 0 {
      first += Self.extendedHeaderSize(&reader, at: first, major: major)
    }
    frames = min(first, last)..<last
    // Unsynchronised pictures have bytes inserted, and so are no range of the file.
    if flags & 0x80 == 0 { findCoverArt(&reader) }
  }

  private static func syncsafe(_ bytes: some Collection<UInt8>) -> Int64? {
    guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
    return bytes.reduce(0) { $0 << 7 | Int64($1) }
  }

  private static func extendedHeaderSize(
    _ reader: inout ByteReader,
    at offset: Int64,
    major: UInt8
  ) -> Int64 {
    guard let bytes = reader.bytes(at: offset, count: 4) else { return 0 }
    // The size counts itself in 2.4 and not in 2.3.
    return major == 4
      ? syncsafe(bytes) ?? 0
      : 4 + bytes.reduce(0) { $0 << 8 | Int64($1) }
  }

  private mutating func findCoverArt(_ reader: inout ByteReader) {
    var offset = frames.lowerBound
    let headerSize: Int64 = major == 2 ? 6 : 10
    while offset + headerSize < frames.upperBound,
      let frame = frame(&reader, at: offset, headerSize: headerSize)
    {
      if frame.isPicture, let picture = picture(in: frame.content, &reader) {
        if picture.isFrontCover {
          coverArt = picture.range
          return
        }
        coverArt = coverArt ?? picture.range
      }
      offset = frame.content.upperBound
    }
  }

  private func frame(
    _ reader: inout ByteReader,
    at offset: Int64,
    headerSize: Int64
  ) -> (isPicture: Bool, content: Range<Int64>)? {
    let nameSize = major == 2 ? 3 : 4
    guard let header = reader.bytes(at: offset, count: Int(headerSize)).map(Array.init),
      header[..<nameSize].allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) })
    else { return nil }
    let sizeBytes = header[nameSize..<2 * nameSize]
    let plain = sizeBytes.reduce(0) { $0 << 8 | Int64($1) }
    var size = plain
    if major == 4, let syncsafe = Self.syncsafe(sizeBytes) {
      size = syncsafe
      // Some programs write plain sizes into 2.4 tags: take the one that leads to a frame.
      if size != plain, !isFrameBoundary(&reader, offset + headerSize + size),
        isFrameBoundary(&reader, offset + headerSize + plain)
      {
        size = plain
      }
    }
    let content = offset + headerSize
    guard size > 0, content + size <= frames.upperBound else { return nil }
    // Compressed, encrypted, unsynchronised or grouped content does not begin with the picture.
    let isPlain = major == 2 || header[9] == 0
    let isPicture = header[..<nameSize].elementsEqual((major == 2 ? "PIC" : "APIC").utf8)
    return (isPicture && isPlain, content..<content + size)
  }

  private func isFrameBoundary(_ reader: inout ByteReader, _ offset: Int64) -> Bool {
    if offset == frames.upperBound { return true }
    guard offset < frames.upperBound, let byte = reader.byte(at: offset) else { return false }
    return byte == 0 || (0x41...0x5A).contains(byte)
  }

  /// Skips encoding, type, and description of a picture frame.
  private func picture(
    in content: Range<Int64>,
    _ reader: inout ByteReader
  ) -> (isFrontCover: Bool, range: Range<Int64>)? {
    // Descriptions are at most 64 characters; whoever writes a longer one has no cover.
    let head = Array(reader.prefix(at: content.lowerBound, upTo: Int(min(512, content.count))))
    guard let encoding = head.first, encoding <= 3 else { return nil }
    var index = 4
    if major > 2 {
      guard let mimeEnd = head.dropFirst().firstIndex(of: 0) else { return nil }
      index = mimeEnd + 1
    }
    guard index < head.count else { return nil }
    let isFrontCover = head[index] == 3
    index += 1
    if encoding == 1 || encoding == 2 {
      while index + 1 < head.count, head[index] != 0 || head[index + 1] != 0 { index += 2 }
      index += 2
    } else {
      while index < head.count, head[index] != 0 { index += 1 }
      index += 1
    }
    let start = content.lowerBound + Int64(index)
    guard index < head.count, start < content.upperBound, content.upperBound <= reader.size else {
      return nil
    }
    return (isFrontCover, start..<content.upperBound)
  }
}
