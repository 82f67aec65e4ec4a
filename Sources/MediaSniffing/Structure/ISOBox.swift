/// One box of an ISO container, as far as pictures in such containers need it.
///
/// Source: ISO/IEC 14496-12, 4.2.
struct ISOBox {
  let type: String
  /// Where the content begins.
  let body: Int64
  /// Where the box ends, inside its parent.
  let end: Int64
  /// Whether it says that it ends behind that parent.
  let isCut: Bool

  /// More boxes than this in one parent are not looked at.
  static let mostBoxes = 4_096

  /// The box at an offset, or nothing where none fits before `limit`.
  init?(_ reader: inout ByteReader, at offset: Int64, to limit: Int64) {
    guard let short = reader.bigEndian(at: offset, count: 4).map(Int64.init),
      let name = reader.bytes(at: offset + 4, count: 4)
    else { return nil }
    type = String(decoding: name, as: UTF8.self)
    var header: Int64 = 8
    var size = short
    if short == 1 {
      guard let long = reader.bigEndian(at: offset + 8, count: 8).flatMap(Int64.init(exactly:))
      else { return nil }
      header = 16
      size = long
    } else if short == 0 {
      size = limit - offset
    }
    let (end, overflow) = offset.addingReportingOverflow(size)
    guard size >= header, !overflow else { return nil }
    body = offset + header
    self.end = min(end, limit)
    isCut = end > limit
  }

  /// The boxes of a range, in order.
  static func all(_ reader: inout ByteReader, from start: Int64, to end: Int64) -> [ISOBox] {
    var boxes: [ISOBox] = []
    var position = start
    while position + 8 <= end, boxes.count < mostBoxes,
      let box = ISOBox(&reader, at: position, to: end)
    {
      boxes.append(box)
      position = box.end
    }
    return boxes
  }

  /// The first box of a type in a range; what stands behind it is not read.
  static func first(
    _ type: String,
    _ reader: inout ByteReader,
    from start: Int64,
    to end: Int64
  ) -> ISOBox? {
    var position = start
    var seen = 0
    while position + 8 <= end, seen < mostBoxes,
      let box = ISOBox(&reader, at: position, to: end)
    {
      if box.type == type { return box }
      position = box.end
      seen += 1
    }
    return nil
  }
}
