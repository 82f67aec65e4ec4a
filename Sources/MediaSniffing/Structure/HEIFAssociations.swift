/// Which properties belong to which item of a HEIF file (`ipma`).
struct HEIFAssociations {
  private let box: ISOBox
  /// More items than this are not looked at.
  private static let mostItems: UInt64 = 65_536

  init(_ box: ISOBox) {
    self.box = box
  }

  /// The numbers of an item's properties, from one, or nothing where the item is not listed.
  func properties(of item: UInt64, _ reader: inout ByteReader) -> [Int]? {
    guard let flags = reader.bigEndian(at: box.body, count: 4),
      let entries = reader.bigEndian(at: box.body + 4, count: 4)
    else { return nil }
    let identifierSize = flags >> 24 == 0 ? 2 : 4
    let indexSize = flags & 1 == 0 ? 1 : 2
    var position = box.body + 8
    for _ in 0..<min(entries, Self.mostItems) {
      guard position < box.end,
        let identifier = reader.bigEndian(at: position, count: identifierSize),
        let count = reader.byte(at: position + Int64(identifierSize))
      else { return nil }
      position += Int64(identifierSize) + 1
      if identifier == item {
        // The highest bit says whether the property is essential.
        return (0..<Int64(count)).compactMap {
          reader.bigEndian(at: position + $0 * Int64(indexSize), count: indexSize)
            .map { Int($0 & (indexSize == 1 ? 0x7F : 0x7FFF)) }
        }
      }
      position += Int64(count) * Int64(indexSize)
    }
    return nil
  }
}
