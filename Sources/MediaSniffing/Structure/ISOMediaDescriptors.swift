/// What an elementary stream descriptor (`esds`) tells of a codec.
///
/// Source: ISO/IEC 14496-1, 7.2.6; ISO/IEC 14496-3, 1.6.2.1 for the audio object type.
struct ISOMediaDescriptors {
  /// The codec by the MPEG-4 registration authority's list.
  var objectType: UInt8?
  /// The kind of MPEG-4 audio, where the codec is that.
  var audioObjectType: UInt8?

  private static let streamTag: UInt8 = 3
  private static let decoderTag: UInt8 = 4
  private static let decoderSpecificTag: UInt8 = 5

  /// What an `esds` box says; empty where it cannot be read.
  init(_ box: ISOMediaBox, _ reader: inout ByteReader) {
    // The content begins with version and flags.
    guard let stream = Descriptor(at: box.content + 4, end: box.end, &reader),
      stream.tag == Self.streamTag,
      let flags = reader.byte(at: stream.content + 2)
    else { return }
    var offset = stream.content + 3
    if flags & 0x80 != 0 { offset += 2 }
    if flags & 0x40 != 0 { offset += 1 + Int64(reader.byte(at: offset) ?? 0) }
    if flags & 0x20 != 0 { offset += 2 }

    guard let decoder = Descriptor(at: offset, end: box.end, &reader),
      decoder.tag == Self.decoderTag, decoder.content < box.end
    else { return }
    objectType = reader.byte(at: decoder.content)

    guard let specific = Descriptor(at: decoder.content + 13, end: box.end, &reader),
      specific.tag == Self.decoderSpecificTag, specific.content + 1 < box.end,
      let bits = reader.bigEndian(at: specific.content, count: 2)
    else { return }
    let type = UInt8(truncatingIfNeeded: bits >> 11)
    audioObjectType = type == 31 ? 32 + UInt8(truncatingIfNeeded: bits >> 5 & 0x3F) : type
  }

  private struct Descriptor {
    let tag: UInt8
    let content: Int64

    /// The size takes 7 bits of each byte, at most four bytes; what it says is not needed.
    init?(at start: Int64, end: Int64, _ reader: inout ByteReader) {
      guard start + 2 <= end, let tag = reader.byte(at: start) else { return nil }
      var offset = start + 1
      for _ in 0..<4 {
        guard let byte = reader.byte(at: offset) else { return nil }
        offset += 1
        if byte & 0x80 == 0 { break }
      }
      self.tag = tag
      content = offset
    }
  }
}
