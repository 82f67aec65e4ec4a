/// The fields of an answer that decide whether, and for how long, it may be used again.
package struct HTTPCachingFields: Sendable, Hashable, Codable {
  /// All `Cache-Control` lines, in order, as one list.
  package private(set) var cacheControl = ""
  /// All `Vary` lines, in order, as one list.
  package private(set) var vary = ""
  /// `Date` as sent.
  package private(set) var date: String?
  /// `Age` as sent.
  package private(set) var age: String?
  /// `Expires` as sent.
  package private(set) var expires: String?
  /// `ETag` as sent, where it is one.
  package private(set) var entityTag: String?
  /// `Last-Modified` as sent.
  package private(set) var lastModified: String?
  /// Whether a list was too long to be kept whole.
  package private(set) var isCut = false

  /// No fields.
  package init() {}

  /// The names of the fields that are collected, lower-case; no other needs to be handed over.
  package static let names: Set = [
    "age", "cache-control", "date", "etag", "expires", "last-modified", "vary",
  ]

  /// The lengths of those names.
  static let lengths = Set(names.map(\.utf8.count))

  /// Takes one field line.
  ///
  /// - Parameters:
  ///   - name: In lower case; one that does not matter is passed over.
  ///   - value: Without the line end.
  package mutating func receive(_ name: String, _ value: some Collection<UInt8>) {
    guard Self.names.contains(name) else { return }
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    let text = Array(value.prefix(Self.longestList + 1).drop(while: isBlank))
    let end = text.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? 0
    let words = String(decoding: text[..<end], as: UTF8.self)
    switch name {
    case "cache-control": append(words, to: \.cacheControl)
    case "vary": append(words, to: \.vary)
    // A field that is no list but stands there twice: the first counts, except for what could
    // only be used too long then (RFC 9111, section 4.2.1).
    case "date": date = date ?? Self.short(words)
    case "age": age = age ?? Self.short(words)
    case "expires": expires = expires == nil ? Self.short(words) : expires == words ? words : "0"
    case "etag": entityTag = entityTag ?? Self.entityTag(words)
    default: lastModified = lastModified ?? Self.short(words)
    }
  }

  /// These fields with those of a 304 in their place (RFC 9111, section 3.2).
  ///
  /// `Date` and `Age` tell of the message that brought them, so the old ones never stay.
  package func updated(by other: HTTPCachingFields) -> HTTPCachingFields {
    var fields = self
    if !other.cacheControl.isEmpty { fields.cacheControl = other.cacheControl }
    if !other.vary.isEmpty { fields.vary = other.vary }
    fields.date = other.date
    fields.age = other.age
    fields.expires = other.expires ?? expires
    fields.entityTag = other.entityTag ?? entityTag
    fields.lastModified = other.lastModified ?? lastModified
    fields.isCut = isCut || other.isCut
    return fields
  }

  /// Whether the entity tag may be sent: a record that was read from a file could hold anything.
  var isSound: Bool {
    entityTag.map { Self.entityTag($0) != nil } ?? true
  }

  private static let longestList = 4_096

  private mutating func append(_ words: String, to list: WritableKeyPath<Self, String>) {
    let separator = self[keyPath: list].isEmpty ? "" : ", "
    guard self[keyPath: list].utf8.count + separator.count + words.utf8.count <= Self.longestList
    else {
      isCut = true
      return
    }
    self[keyPath: list] += separator + words
  }

  private static func short(_ words: String) -> String {
    // Longer than any date or number: as wrong as it stands, and it stays wrong.
    words.utf8.count <= 64 ? words : "?"
  }

  /// `"..."` or `W/"..."` (RFC 9110, section 8.8.3), in ASCII, so that it is sent back exactly.
  private static func entityTag(_ words: String) -> String? {
    var tag = Array(words.utf8)
    if tag.starts(with: "W/".utf8) { tag.removeFirst(2) }
    guard tag.count >= 2, words.utf8.count <= 1_024, tag.first == 0x22, tag.last == 0x22,
      tag.dropFirst().dropLast().allSatisfy({ $0 == 0x21 || (0x23...0x7e).contains($0) })
    else { return nil }
    return words
  }
}
