import FoundationEssentials

/// Finds the keys that an object has twice.
///
/// Of two values parsers keep one, and not all the same (RFC 8259, section 4), so that who looks a
/// text over may see another one than counts.
package enum RepeatedKey {
  /// The first of them.
  ///
  /// - Parameter text: JSON in UTF-8, which a parser has taken.
  /// - Returns: The key, decoded; nothing where every key is there once.
  package static func first(in text: [UInt8]) -> String? {
    var objects: [Set<String>] = []
    var lastText = 0..<0
    var place = 0
    while place < text.count {
      switch text[place] {
      case UInt8(ascii: "\""):
        let end = end(ofTextAt: place, in: text)
        lastText = place..<end
        place = end
        continue
      case UInt8(ascii: "{"): objects.append([])
      case UInt8(ascii: "}"): _ = objects.popLast()
      // What stands before a colon is a key of the innermost object.
      case UInt8(ascii: ":") where !objects.isEmpty:
        let key = decoded(text[lastText])
        guard objects[objects.count - 1].insert(key).inserted else { return key }
      default: break
      }
      place += 1
    }
    return nil
  }

  private static func end(ofTextAt start: Int, in text: [UInt8]) -> Int {
    var place = start + 1
    while place < text.count, text[place] != UInt8(ascii: "\"") {
      place += text[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(place + 1, text.count)
  }

  /// The same key may be written in several ways, as in `"\u0075rl"`.
  private static func decoded(_ text: ArraySlice<UInt8>) -> String {
    if text.contains(UInt8(ascii: "\\")),
      let key = try? JSONDecoder().decode(String.self, from: Data(text))
    {
      return key
    }
    return String(decoding: text.dropFirst().dropLast(), as: UTF8.self)
  }
}
