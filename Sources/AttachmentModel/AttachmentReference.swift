/// What a payload or a command line claims about an attachment, before anything was fetched.
public struct AttachmentReference: Sendable, Hashable, Codable {
  /// Where the bytes are.
  public enum Location: Sendable, Hashable, Codable {
    /// An `http` or `https` address, as given.
    case remote(String)
    /// A path in the file system, as given.
    case local(String)
  }

  /// Where the bytes are.
  public var location: Location
  /// A uniform type identifier that the payload states
  /// (`UNNotificationAttachmentOptionsTypeHintKey`), which overrides the extension.
  public var typeHint: String?
  /// The media type under which bytes without a name were sent, where the location is a name that
  /// was made from it; findings then speak of the type.
  public var announcedType: String?

  /// A reference to an address or a path.
  public init(_ location: Location, typeHint: String? = nil) {
    self.location = location
    self.typeHint = typeHint
  }

  /// Tells an address from a path: whatever has a scheme followed by `://` is an address.
  ///
  /// White space around an address is no part of it, as in a list that was pasted; a path may begin
  /// and end in any way.
  ///
  /// - Parameters:
  ///   - source: As a user writes it.
  ///   - typeHint: A uniform type identifier that the payload states, if any.
  public init(source: String, typeHint: String? = nil) {
    self.init(Self.hasScheme(source) ? .remote(source) : .local(source), typeHint: typeHint)
  }

  /// The address or path, as given.
  public var source: String {
    switch location {
    case .remote(let address): address
    case .local(let path): path
    }
  }

  /// The file-name extension that the address or path ends in, lower-cased, without a dot.
  ///
  /// Query and fragment do not count, as on a device: `a.jpg?x=1` has the extension `jpg`.
  public var filenameExtension: String? {
    var path = Array(source.utf8)[...]
    if case .remote = location {
      path = Self.withoutBlanks(path).prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
      if let authority = Self.authority(of: path) {
        path = path[authority...].drop { $0 != Self.slash }
      }
    }
    let name = path[(path.lastIndex(of: Self.slash).map { $0 + 1 } ?? path.startIndex)...]
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
      return nil
    }
    let suffix = name[(dot + 1)...]
    return suffix.isEmpty ? nil : String(decoding: suffix, as: UTF8.self).lowercased()
  }

  private static let slash = UInt8(ascii: "/")

  /// Where what follows the first `://` begins.
  private static func authority(of address: ArraySlice<UInt8>) -> Int? {
    var rest = address
    while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
      rest = rest[(colon + 1)...]
      if rest.starts(with: [slash, slash]) { return rest.startIndex + 2 }
    }
    return nil
  }

  private static func withoutBlanks(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let words = text.drop { $0 <= 0x20 }
    return words[..<(words.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? words.startIndex)]
  }

  private static func hasScheme(_ source: String) -> Bool {
    let words = withoutBlanks(Array(source.utf8)[...])
    guard let authority = authority(of: words) else { return false }
    let scheme = words[..<(authority - 3)]
    let isLetter: (UInt8) -> Bool = { (97...122).contains($0 | 0x20) }
    return scheme.first.map(isLetter) ?? false
      && scheme.allSatisfy { isLetter($0) || (48...57).contains($0) || "+-.".utf8.contains($0) }
  }
}
