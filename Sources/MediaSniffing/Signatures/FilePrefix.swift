import Glibc

/// The first bytes of a file, read without ever leaving them.
struct FilePrefix {
  let bytes: [UInt8]
  /// Whether the file ends here.
  let isWhole: Bool

  init(_ bytes: [UInt8], isWhole: Bool) {
    self.bytes = bytes
    self.isWhole = isWhole
  }

  var count: Int { bytes.count }

  subscript(offset: Int) -> UInt8? {
    offset >= 0 && offset < bytes.count ? bytes[offset] : nil
  }

  /// Whether these characters, all of them ASCII, stand at an offset.
  func has(_ text: StaticString, at offset: Int = 0) -> Bool {
    let count = text.utf8CodeUnitCount
    guard offset >= 0, count <= bytes.count - offset else { return false }
    return text.withUTF8Buffer { bytes[offset..<offset + count].elementsEqual($0) }
  }

  /// Whether these bytes stand at an offset.
  func has(_ expected: [UInt8], at offset: Int = 0) -> Bool {
    guard offset >= 0, expected.count <= bytes.count - offset else { return false }
    return bytes[offset..<offset + expected.count].elementsEqual(expected)
  }

  /// A big-endian number of `count` bytes.
  func bigEndian(at offset: Int, count: Int) -> UInt64? {
    guard offset >= 0, count <= bytes.count - offset else { return nil }
    return bytes[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// A little-endian number of `count` bytes.
  func littleEndian(at offset: Int, count: Int) -> UInt64? {
    guard offset >= 0, count <= bytes.count - offset else { return nil }
    return bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Four characters, as ISO media brands and box types are written.
  func fourCharacters(at offset: Int) -> String? {
    guard offset >= 0, 4 <= bytes.count - offset else { return nil }
    return String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
  }

  /// Where these characters first stand within the first `limit` bytes.
  func firstIndex(of text: StaticString, within limit: Int = .max) -> Int? {
    let needle = text.withUTF8Buffer(Array.init)
    return bytes.prefix(limit).firstIndex(of: needle, ignoringCase: false)
  }
}

extension ArraySlice<UInt8> {
  /// Where a run of bytes first stands, with ASCII letters compared in either case on demand.
  ///
  /// Lower-case the needle where case is ignored. Both letters of a needle's start are compared
  /// at each place, so that the cost is linear for needles that do not repeat their first byte.
  func firstIndex(of needle: [UInt8], ignoringCase: Bool) -> Int? {
    guard let first = needle.first, needle.count <= count else { return nil }
    let upper = ignoringCase && (97...122).contains(first) ? first - 32 : first
    let last = endIndex - needle.count
    var index = startIndex
    while index <= last, let hit = self[index...last].firstIndex(of: first, or: upper) {
      if matches(needle, at: hit, ignoringCase: ignoringCase) { return hit }
      index = hit + 1
    }
    return nil
  }

  private func firstIndex(of first: UInt8, or upper: UInt8) -> Int? {
    guard first == upper else { return firstIndex { $0 == first || $0 == upper } }
    // Invariant: memchr looks at the slice's bytes only, and what it finds lies among them.
    return withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, let hit = memchr(start, CInt(first), bytes.count) else {
        return nil
      }
      return startIndex + (UnsafeRawPointer(hit) - start)
    }
  }

  /// Whether a run of bytes stands at an index inside the slice.
  func matches(_ needle: [UInt8], at index: Int, ignoringCase: Bool) -> Bool {
    guard index >= startIndex, needle.count <= endIndex - index else { return false }
    for place in needle.indices {
      var byte = self[index + place]
      if ignoringCase, (65...90).contains(byte) { byte += 32 }
      if byte != needle[place] { return false }
    }
    return true
  }
}
