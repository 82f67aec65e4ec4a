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
    var path = Substring(source)
    if case .remote(let address) = location {
      path = address.prefix { $0 != "?" && $0 != "#" }
      if let scheme = path.firstRange(of: "://") {
        let rest = path[scheme.upperBound...]
        path = rest.firstIndex(of: "/").map { rest[$0...] } ?? ""
      }
    }
    let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    let suffix = name[name.index(after: dot)...]
    return suffix.isEmpty ? nil : suffix.lowercased()
  }

  private static func hasScheme(_ source: String) -> Bool {
    guard let colon = source.firstRange(of: "://") else { return false }
    let scheme = source[..<colon.lowerBound].drop { $0 == " " || $0 == "\t" }
    return scheme.first?.isLetter ?? false
      && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
  }
}
