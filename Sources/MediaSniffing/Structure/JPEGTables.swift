/// Which quantization and Huffman tables a JPEG picture has defined so far.
///
/// Source: ITU-T T.81, B.2.4.1, B.2.4.2 and annex C.
struct JPEGTables {
  private var quantization = Identifiers()
  private var direct = Identifiers()
  private var alternating = Identifiers()

  /// A set of numbers from 0 to 3; others are never in it.
  private struct Identifiers {
    private var bits: UInt8 = 0

    var isEmpty: Bool { bits == 0 }

    func contains(_ identifier: Int) -> Bool {
      (0...3).contains(identifier) && bits & 1 << identifier != 0
    }

    mutating func insert(_ identifier: UInt8) {
      bits |= 1 << (identifier & 3)
    }
  }

  /// Whether any Huffman table was defined; camera frames without one use the standard tables.
  var hasHuffman: Bool { !direct.isEmpty || !alternating.isEmpty }

  func hasQuantization(_ identifier: Int) -> Bool { quantization.contains(identifier) }
  func hasDirect(_ identifier: Int) -> Bool { direct.contains(identifier) }
  func hasAlternating(_ identifier: Int) -> Bool { alternating.contains(identifier) }

  /// Takes a DQT segment's body, and says what contradicts in it.
  mutating func defineQuantization(_ body: ArraySlice<UInt8>) -> String? {
    var rest = body
    while let head = rest.first {
      let size = head >> 4 == 0 ? 64 : 128
      guard head >> 4 <= 1, head & 15 <= 3 else {
        return "a quantization table is numbered \(head)"
      }
      guard rest.count > size else { return "a quantization table is cut" }
      quantization.insert(head & 15)
      rest = rest.dropFirst(1 + size)
    }
    return nil
  }

  /// Takes a DHT segment's body, and says what contradicts in it.
  mutating func defineHuffman(_ body: ArraySlice<UInt8>) -> String? {
    var rest = body
    while let head = rest.first {
      guard head >> 4 <= 1, head & 15 <= 3 else { return "a Huffman table is numbered \(head)" }
      let counts = rest.dropFirst().prefix(16)
      let total = counts.reduce(0) { $0 + Int($1) }
      guard counts.count == 16, total <= 256, rest.count >= 17 + total else {
        return "a Huffman table of \(total) codes is cut"
      }
      // Codes of one length run on from the shorter ones; each length can hold but so many.
      var code = 0
      for (index, count) in counts.enumerated() {
        code += Int(count)
        guard code <= 1 << (index + 1) else {
          return "a Huffman table has more codes than \(index + 1) bits can hold"
        }
        code <<= 1
      }
      if head >> 4 == 0 {
        direct.insert(head & 15)
      } else {
        alternating.insert(head & 15)
      }
      rest = rest.dropFirst(17 + total)
    }
    return nil
  }
}
