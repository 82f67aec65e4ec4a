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

  /// A reference to an address or a path.
  public init(_ location: Location, typeHint: String? = nil) {
    self.location = location
    self.typeHint = typeHint
  }

  /// Tells an address from a path: whatever has a scheme followed by `://` is an address.
  ///
  /// White space before the scheme does not count, as in a list that was pasted.
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
    var path = Substring(source).utf8
    if case .remote(let address) = location {
      path = address.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
      if let authority = Self.authority(of: path) {
        let rest = path[authority...]
        path = rest[(rest.firstIndex(of: Self.slash) ?? rest.endIndex)...]
      }
    }
    let name = path[(path.lastIndex(of: Self.slash).map(path.index(after:)) ?? path.startIndex)...]
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
      return nil
    }
    let suffix = Substring(name[name.index(after: dot)...])
    return suffix.isEmpty ? nil : suffix.lowercased()
  }

  private static let slash = UInt8(ascii: "/")

  /// Where what follows the first `://` begins.
  private static func authority(of address: Substring.UTF8View) -> String.Index? {
    var rest = address
    while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
      rest = rest[address.index(after: colon)...]
      if rest.starts(with: "//".utf8) { return rest.index(rest.startIndex, offsetBy: 2) }
    }
    return nil
  }

  private static func hasScheme(_ source: String) -> Bool {
    guard let authority = authority(of: Substring(source).utf8) else { return false }
    let scheme = source.utf8[..<authority].dropLast(3).drop { $0 == 0x20 || $0 == 0x09 }
    let isLetter: (UInt8) -> Bool = { (97...122).contains($0 | 0x20) }
    return scheme.first.map(isLetter) ?? false
      && scheme.allSatisfy { isLetter($0) || (48...57).contains($0) || "+-.".utf8.contains($0) }
  }
}
