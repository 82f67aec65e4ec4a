/// What `Cache-Control` says to a private cache (RFC 9111, section 5.2).
package struct HTTPCachingDirectives: Sendable, Hashable {
  /// `no-store`.
  package private(set) var forbidsStoring = false
  /// `no-cache`, with fields named or without: asked for anew at each use.
  package private(set) var demandsRevalidation = false
  /// `must-revalidate`: never used stale, which nothing is here anyway.
  package private(set) var forbidsStaleUse = false
  /// `public`.
  package private(set) var isPublic = false
  /// `max-age` in seconds; the least of several, and 0 for one that is no number.
  package private(set) var lifetime: Int64?

  /// The number that stands for all that are too large (RFC 9111, section 1.2.2).
  package static let longestLifetime: Int64 = 1 << 31

  /// Reads a list of directives; unknown ones are passed over.
  package init(_ list: String) {
    for (name, argument) in Self.directives(in: Array(list.utf8)) {
      switch name {
      case "no-store": forbidsStoring = true
      case "no-cache": demandsRevalidation = true
      case "must-revalidate": forbidsStaleUse = true
      case "public": isPublic = true
      case "max-age":
        let seconds = argument.flatMap { Self.seconds($0) } ?? 0
        lifetime = min(lifetime ?? seconds, seconds)
      default: break
      }
    }
  }

  /// A number of seconds; nothing for anything but digits.
  static func seconds(_ text: some Collection<UInt8>) -> Int64? {
    guard !text.isEmpty, text.allSatisfy({ (48...57).contains($0) }) else { return nil }
    let digits = text.drop { $0 == 48 }
    guard digits.count <= 10 else { return longestLifetime }
    return min(longestLifetime, digits.reduce(0) { $0 * 10 + Int64($1 - 48) })
  }

  /// Splits at commas outside of quotation marks; one pass.
  private static func directives(in list: [UInt8]) -> [(name: String, argument: [UInt8]?)] {
    var found: [(name: String, argument: [UInt8]?)] = []
    var name: [UInt8] = []
    var argument: [UInt8]?
    var isQuoted = false
    var isEscaped = false
    for byte in list + [UInt8(ascii: ",")] {
      if isQuoted {
        if !isEscaped, byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if !isEscaped, byte == UInt8(ascii: "\"") {
          isQuoted = false
        } else {
          isEscaped = false
          argument?.append(byte)
        }
      } else if byte == UInt8(ascii: ",") {
        if !name.isEmpty {
          found.append((String(decoding: name, as: UTF8.self).lowercased(), argument))
        }
        name = []
        argument = nil
      } else if byte == UInt8(ascii: "\""), argument != nil {
        isQuoted = true
      } else if byte == UInt8(ascii: "="), argument == nil {
        argument = []
      } else if byte != 0x20, byte != 0x09 {
        if argument == nil { name.append(byte) } else { argument?.append(byte) }
      }
    }
    // A quotation mark that is never closed hides whatever comes after it: be careful then.
    if isQuoted { found.append(("no-store", nil)) }
    return found
  }
}
