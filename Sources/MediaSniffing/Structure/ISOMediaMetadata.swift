/// Cover art and places from a movie's user data or metadata.
struct ISOMediaMetadata {
  var coverArt: Range<Int64>?
  var location: String?

  /// What a `udta` or `meta` box holds; damage in it is nobody's concern.
  init(_ box: ISOMediaBox, _ reader: inout ByteReader) {
    if box.type == "meta" {
      readMetadata(box, &reader)
      return
    }
    var walk = ISOMediaBoxWalk(inside: box)
    while let child = walk.next(&reader) {
      switch child.type {
      case "meta": readMetadata(child, &reader)
      // 3GPP TS 26.244, 8.10.
      case "loci": location = location ?? "a 'loci' box at \(child.start)"
      case Self.quickTimeLocation: location = location ?? "a location text at \(child.start)"
      default: break
      }
    }
  }

  /// The name of QuickTime's ISO 6709 text: a copyright sign in Mac Roman, and `xyz`.
  private static let quickTimeLocation = FourCharacterCode(0xA978_797A)

  private mutating func readMetadata(_ box: ISOMediaBox, _ reader: inout ByteReader) {
    // In ISO files the box has version and flags, in QuickTime files its content begins at once.
    let isBare = FourCharacterCode(&reader, at: box.content + 4) == "hdlr"
    var walk = ISOMediaBoxWalk(inside: box, skipping: isBare ? 0 : 4)
    while let child = walk.next(&reader) {
      switch child.type {
      case "ilst": readItems(child, &reader)
      case "keys": readKeys(child, &reader)
      default: break
      }
    }
  }

  private mutating func readItems(_ box: ISOMediaBox, _ reader: inout ByteReader) {
    var walk = ISOMediaBoxWalk(inside: box)
    while let item = walk.next(&reader) {
      if item.type == Self.quickTimeLocation {
        location = location ?? "a location item at \(item.start)"
      }
      guard item.type == "covr", coverArt == nil else { continue }
      var values = ISOMediaBoxWalk(inside: item)
      guard let data = values.next(&reader), data.type == "data" else { continue }
      // Type and locale come before the picture.
      let start = data.content + 8
      if start < data.end, data.end <= reader.size { coverArt = start..<data.end }
    }
  }

  /// Looks for Apple's name of a place among the keys of the metadata items.
  private mutating func readKeys(_ box: ISOMediaBox, _ reader: inout ByteReader) {
    let wanted = "com.apple.quicktime.location.ISO6709".utf8
    var walk = ISOMediaBoxWalk(inside: box, skipping: 8)
    while let key = walk.next(&reader) {
      guard key.contentSize == Int64(wanted.count) else { continue }
      if reader.matches(wanted, at: key.content) {
        location = location ?? "a location key at \(key.start)"
      }
    }
  }
}
