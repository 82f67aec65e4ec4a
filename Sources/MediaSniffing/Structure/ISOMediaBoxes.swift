import AttachmentModel

/// A box of an ISO base media file: a named range of bytes (ISO/IEC 14496-12, 4.2).
struct ISOMediaBox {
  let type: FourCharacterCode
  /// Where the header begins.
  let start: Int64
  /// Where the content begins.
  let content: Int64
  /// Where the box says that it ends; may lie behind the end of the file.
  let end: Int64

  /// How many bytes the content should have.
  var contentSize: Int64 {
    end - content
  }

  /// The box's name in a message.
  var name: String {
    "'\(type.text)' at \(start)"
  }
}

/// Goes through the boxes of one level, in file order.
///
/// Each step moves forward by at least a header, so that a walk is linear in what it covers;
/// levels are walked by the code that knows them, so that no nesting of the file's makes depth.
struct ISOMediaBoxWalk {
  /// What stopped the walk before its end.
  private(set) var fault: StructureFinding?
  /// The first byte that is not walked yet.
  private(set) var offset: Int64

  private let limit: Int64
  private let isTopLevel: Bool

  /// A walk through a whole file.
  init(fileOf size: Int64) {
    offset = 0
    limit = size
    isTopLevel = true
  }

  /// A walk through the boxes inside a box.
  ///
  /// - Parameters:
  ///   - box: The box whose content consists of boxes.
  ///   - skip: How many bytes of the content come before the first box.
  init(inside box: ISOMediaBox, skipping skip: Int64 = 0) {
    offset = box.content + min(skip, box.contentSize)
    limit = box.end
    isTopLevel = false
  }

  /// The next box, or nothing at the end, at a fault, and where the file is cut.
  mutating func next(_ reader: inout ByteReader) -> ISOMediaBox? {
    guard fault == nil, offset < limit, offset < reader.size else { return nil }
    guard limit - offset >= 8 else { return endWithRest(&reader) }
    guard let size32 = reader.bigEndian(at: offset, count: 4),
      let type = FourCharacterCode(&reader, at: offset + 4)
    else { return nil }

    // QuickTime ends a user data list with four zero bytes, and padding looks the same.
    if size32 == 0, type.value == 0 { return endWithRest(&reader) }
    if isTopLevel, !type.isPlausible, size32 != 0 { return endWithGarbage() }

    var headerSize: Int64 = 8
    var size = Int64(size32)
    if size32 == 1 {
      headerSize = 16
      guard limit - offset >= 16, let size64 = reader.bigEndian(at: offset + 8, count: 8) else {
        return stop(.truncated, "the 64-bit size of box '\(type.text)' at \(offset) is cut")
      }
      guard let signed = Int64(exactly: size64) else {
        return stop(.corrupt, "box '\(type.text)' at \(offset) claims \(size64) bytes")
      }
      size = signed
    } else if size32 == 0 {
      guard isTopLevel else {
        return stop(.corrupt, "box '\(type.text)' at \(offset) inside another has no size")
      }
      size = limit - offset
    }

    let (end, overflow) = offset.addingReportingOverflow(size)
    guard size >= headerSize, !overflow else {
      return stop(.corrupt, "box '\(type.text)' at \(offset) claims \(size) bytes")
    }
    guard isTopLevel || end <= limit else {
      return stop(
        .corrupt,
        "box '\(type.text)' at \(offset) reaches \(ByteCount(end - limit).exactly) beyond the box "
          + "around it"
      )
    }
    let box = ISOMediaBox(type: type, start: offset, content: offset + headerSize, end: end)
    offset = end
    return box
  }

  private mutating func endWithRest(_ reader: inout ByteReader) -> ISOMediaBox? {
    let rest = reader.prefix(at: offset, upTo: 64)
    guard isTopLevel || !rest.prefix(Int(min(limit - offset, 64))).allSatisfy({ $0 == 0 }) else {
      offset = limit
      return nil
    }
    return isTopLevel
      ? endWithGarbage()
      : stop(.corrupt, "\(limit - offset) bytes at \(offset) are no box")
  }

  private mutating func endWithGarbage() -> ISOMediaBox? {
    stop(.trailingData, "\(limit - offset) bytes at \(offset) are no box")
  }

  private mutating func stop(_ kind: StructureFinding.Kind, _ detail: String) -> ISOMediaBox? {
    fault = StructureFinding(kind, detail)
    return nil
  }
}
