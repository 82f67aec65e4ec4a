import CCurl
import Glibc

/// An absolute `http` or `https` address, normalised the way browsers do (WHATWG URL).
///
/// libcurl parses, resolves and converts international names; what it reads otherwise than a
/// browser is brought into one form first, and what is ambiguous is refused: two programs must
/// never see two different hosts in one address.
package final class RequestURL: Sendable, Equatable {
  /// The whole address for libcurl, without fragment.
  package let text: String
  /// `http` or `https`.
  package let scheme: String
  /// The host, lower-case, in its ASCII form; IPv6 with brackets.
  package let host: String
  /// The port, stated or implied.
  package let port: Int
  /// The address without user information and fragment, as reports show it.
  package let shown: String

  /// Whether the host is a name, not an address.
  package let needsLookup: Bool

  /// What a header is meant for, and a connection is good for.
  package struct Origin: Sendable, Hashable {
    let scheme: String
    let host: String
    let port: Int
  }

  /// The scheme, host and port.
  package var origin: Origin {
    Origin(scheme: scheme, host: host, port: port)
  }

  /// Whether two addresses agree in every part.
  package static func == (left: RequestURL, right: RequestURL) -> Bool {
    left.text == right.text && left.shown == right.shown && left.origin == right.origin
      && left.needsLookup == right.needsLookup
  }

  /// Reads an absolute address.
  ///
  /// - Throws: `invalid-url` or `unsupported-scheme`.
  package convenience init(_ given: String) throws(DownloadError) {
    if let plain = Plain(given.utf8Span.span) {
      self.init(given, plain)
    } else {
      try self.init(Array(given.utf8), relativeTo: nil)
    }
  }

  private init(_ text: String, _ parts: Plain) {
    self.text = text
    scheme = parts.scheme
    host = parts.host
    port = parts.port
    shown = text
    needsLookup = parts.hostIsName
  }

  /// Reads a `Location`, which may be relative.
  ///
  /// - Throws: `invalid-url` or `unsupported-scheme`.
  package func following(_ location: [UInt8]) throws(DownloadError) -> RequestURL {
    try RequestURL(location, relativeTo: self)
  }

  private init(_ given: [UInt8], relativeTo base: RequestURL?) throws(DownloadError) {
    let (spelling, isPlain) = try Self.normalized(given)
    if let scheme = Self.scheme(of: spelling), scheme != "http", scheme != "https" {
      throw DownloadError(
        .unsupportedScheme,
        "the scheme \(scheme): is not fetched; use an http or https address"
          + (scheme == "file" ? ", or the path alone" : "")
      )
    }
    guard let parts = curl_url() else {
      throw DownloadError(.invalidURL, "there is no memory to read the address")
    }
    defer { curl_url_cleanup(parts) }
    if let base { curl_url_set(parts, CURLUPART_URL, base.text, 0) }
    let reference = Self.reference(spelling, to: base)
    let result = curl_url_set(parts, CURLUPART_URL, reference, 0)
    guard result == CURLUE_OK else {
      throw DownloadError(.invalidURL, Self.explanation(of: result))
    }
    if given.contains(UInt8(ascii: "#")) {
      curl_url_set(parts, CURLUPART_FRAGMENT, nil, 0)
    }

    func part(_ what: CURLUPart, _ flags: UInt32 = 0) -> String? {
      var value: UnsafeMutablePointer<CChar>?
      // Invariant: libcurl hands over a C string that is ours to free, or nothing.
      guard curl_url_get(parts, what, &value, flags) == CURLUE_OK, let value else { return nil }
      defer { curl_free(value) }
      return String(cString: value)
    }

    guard let scheme = part(CURLUPART_SCHEME), scheme == "http" || scheme == "https" else {
      throw DownloadError(.unsupportedScheme, "only http and https addresses are fetched")
    }
    let written =
      isPlain
      ? part(CURLUPART_HOST)
      : Self.withUnicodeLocale { part(CURLUPART_HOST, UInt32(CURLU_PUNYCODE)) }
    guard let written, Self.isHost(written),
      !written.hasPrefix("[") || part(CURLUPART_ZONEID) == nil
    else {
      throw DownloadError(.invalidURL, "the address has no valid host name")
    }
    guard let port = part(CURLUPART_PORT, UInt32(CURLU_DEFAULT_PORT)).flatMap(Int.init) else {
      throw DownloadError(.invalidURL, "the address has no valid port")
    }
    let host = try Self.numbered(written.lowercased())
    if !isPlain || host != written { curl_url_set(parts, CURLUPART_HOST, host, 0) }
    // libcurl drops a question mark behind which there is nothing; to an origin it is another address.
    let query = Self.hasEmptyQuery(reference) ? "?" : ""
    guard let text = part(CURLUPART_URL).map({ $0 + query }) else {
      throw DownloadError(.invalidURL, "the address cannot be read")
    }
    self.text = text
    self.scheme = scheme
    self.host = host
    self.port = port
    needsLookup = !host.hasPrefix("[") && IPAddress(host) == nil
    // Only what is written with an @, or relative to that, can have user information.
    guard !isPlain || base.map({ $0.text != $0.shown }) ?? false else {
      shown = text
      return
    }
    curl_url_set(parts, CURLUPART_USER, nil, 0)
    curl_url_set(parts, CURLUPART_PASSWORD, nil, 0)
    shown = part(CURLUPART_URL).map { $0 + query } ?? "\(scheme)://\(host)"
  }

  /// Whether a byte means the same to everybody wherever it stands in an address: most addresses
  /// have no other, and need no second look.
  static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "@"), UInt8(ascii: "\\"): false
    case 0x21...0x7e: !mustBeEncoded(byte)
    default: false
    }
  }

  /// Brings the spelling into one form: white space around it gone, back-slashes turned, and
  /// whatever no address may contain percent-encoded.
  ///
  /// - Parameter given: As written.
  /// - Returns: The one form, and whether it has plain bytes only.
  /// - Throws: `invalid-url`.
  private static func normalized(
    _ given: [UInt8]
  ) throws(DownloadError) -> (text: String, isPlain: Bool) {
    guard let first = given.firstIndex(where: { $0 > 0x20 }),
      let last = given.lastIndex(where: { $0 > 0x20 })
    else { throw DownloadError(.invalidURL, "the address is empty") }
    let trimmed = given[first...last]
    guard trimmed.count <= 16_384 else {
      throw DownloadError(
        .invalidURL,
        "the address is \(trimmed.count) bytes long; at most 16,384 are read"
      )
    }
    if trimmed.allSatisfy(isPlain) {
      return (String(decoding: withPlainDots(Array(trimmed)), as: UTF8.self), true)
    }
    guard !trimmed.contains(where: { $0 < 0x20 || $0 == 0x7f }) else {
      throw DownloadError(.invalidURL, "the address contains a control character")
    }
    var spelling: [UInt8] = []
    spelling.reserveCapacity(trimmed.count)
    var inAuthority = false
    var inTail = false
    var slashes = 0
    var signs = 0
    for byte in trimmed {
      var byte = byte
      if !inTail, byte == UInt8(ascii: "\\") { byte = UInt8(ascii: "/") }
      if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { inTail = true }
      if !inTail, byte == UInt8(ascii: "/") {
        slashes += 1
        inAuthority =
          slashes == 2 && (spelling == [byte] || spelling.suffix(2).elementsEqual(":/".utf8))
      }
      if inAuthority, !inTail, byte == UInt8(ascii: "@") { signs += 1 }
      // A host keeps its letters, for libcurl to convert; everything else is encoded here.
      let isLetterOfHost = inAuthority && !inTail && byte >= 0x80
      if byte == 0x20 || (byte >= 0x80 && !isLetterOfHost) || mustBeEncoded(byte) {
        guard !inAuthority || inTail else {
          throw DownloadError(.invalidURL, "the host name contains a character that none may have")
        }
        spelling += percentEncoded(byte)
      } else {
        spelling.append(byte)
      }
    }
    guard signs <= 1 else {
      throw DownloadError(.invalidURL, "the user information contains an @; write it as %40")
    }
    guard let text = String(validating: withPlainDots(spelling), as: UTF8.self) else {
      throw DownloadError(.invalidURL, "the host name is not valid UTF-8")
    }
    return (text, false)
  }

  /// An address as libcurl resolves it where browsers would, against the same base.
  ///
  /// A scheme that is the base's, without two slashes behind it, says nothing (WHATWG URL, "special
  /// relative or authority state"): libcurl would look for a host there. And a mere fragment is of
  /// the base itself, where libcurl leaves out the last segment.
  private static func reference(_ spelling: String, to base: RequestURL?) -> String {
    guard let base else { return spelling }
    var rest = spelling[...]
    if scheme(of: spelling) == base.scheme {
      rest = spelling.dropFirst(base.scheme.utf8.count + 1)
      if rest.hasPrefix("//") { return spelling }
    }
    switch rest.first {
    case nil, "#": return base.text + rest
    case "/", "?": return String(rest)
    // What is left may look like an address with another scheme, and is a path all the same.
    default:
      guard rest.startIndex > spelling.startIndex else { return spelling }
      return "./" + String(decoding: withPlainDots(Array(rest.utf8)), as: UTF8.self)
    }
  }

  /// Whether a reference has a question mark, and nothing behind it.
  private static func hasEmptyQuery(_ reference: String) -> Bool {
    let address = reference.utf8.prefix { $0 != UInt8(ascii: "#") }
    return address.last == UInt8(ascii: "?")
      && address.dropLast().allSatisfy { $0 != UInt8(ascii: "?") }
  }

  /// A host of which browsers think that it is a number, in the one form that libcurl reads so too.
  ///
  /// What ends in a number is an IPv4 address to them (WHATWG URL, "ends in a number"), or none at
  /// all; libcurl would look it up as a name.
  private static func numbered(_ host: String) throws(DownloadError) -> String {
    let name = host.hasSuffix(".") ? String(host.dropLast()) : host
    let last = name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name.utf8[$0...].dropFirst() }
    let label = Array(last ?? name.utf8[...])
    let isHexadecimal = label.starts(with: "0x".utf8)
    let digits = isHexadecimal ? label[2...] : label[...]
    let isNumber = digits.allSatisfy { isDigit($0) || isHexadecimal && (97...102).contains($0) }
    guard isNumber, !label.isEmpty else { return host }
    guard IPAddress(name)?.bytes.count == 4 else {
      throw DownloadError(.invalidURL, "the host ends in a number, but is no IPv4 address")
    }
    return name
  }

  /// Resolves encoded dots in a path's segments, which are `.` and `..` to browsers (WHATWG URL,
  /// "double-dot URL path segment"); libcurl resolves only those that are written so.
  private static func withPlainDots(_ spelling: [UInt8]) -> [UInt8] {
    let end = spelling.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
    let slash = UInt8(ascii: "/")
    let segments = spelling[..<(end ?? spelling.endIndex)]
      .split(separator: slash, omittingEmptySubsequences: false)
      .map { segment -> [UInt8] in
        let text = String(decoding: segment, as: UTF8.self).lowercased()
        switch text {
        case "%2e": return Array(".".utf8)
        case ".%2e", "%2e.", "%2e%2e": return Array("..".utf8)
        default: return Array(segment)
        }
      }
    return Array(segments.joined(separator: [slash])) + spelling[(end ?? spelling.endIndex)...]
  }

  /// Whether no address may contain a byte as it is.
  private static func mustBeEncoded(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "`"),
      UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "|"), UInt8(ascii: "^"):
      true
    default: false
    }
  }

  private static func percentEncoded(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  private static func scheme(of text: String) -> String? {
    guard let end = text.utf8.firstIndex(where: { ":/?#".utf8.contains($0) }),
      text.utf8[end] == UInt8(ascii: ":"), let first = text.utf8.first, isLetter(first)
    else { return nil }
    let name = text.utf8[..<end]
    guard name.allSatisfy({ isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }) else {
      return nil
    }
    return String(text[..<end]).lowercased()
  }

  /// Letters, digits, hyphen, dot and underscore, or a bracketed IPv6 address; nothing encoded.
  private static func isHost(_ host: String) -> Bool {
    let bytes = host.utf8
    guard let first = bytes.first, bytes.count <= 253 + 2 else { return false }
    if first == UInt8(ascii: "[") {
      return host.hasSuffix("]") && IPAddress(String(host.dropFirst().dropLast())) != nil
    }
    return first != UInt8(ascii: ".")
      && bytes.allSatisfy { isLetter($0) || isDigit($0) || "-._".utf8.contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (97...122).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (48...57).contains(byte)
  }

  /// Runs work in a locale whose characters are Unicode.
  ///
  /// libcurl converts international names through libidn2, which reads them in the thread's
  /// locale; a program that never set one is in "C", where no such name can be read.
  private static func withUnicodeLocale<Result>(_ work: () -> Result) -> Result {
    guard let locale = newlocale(1 << LC_CTYPE, "C.UTF-8", nil) else { return work() }
    let before = uselocale(locale)
    defer {
      uselocale(before)
      freelocale(locale)
    }
    return work()
  }

  private static func explanation(of result: CURLUcode) -> String {
    switch result {
    case CURLUE_BAD_PORT_NUMBER: "the port is not a number from 1 to 65,535"
    case CURLUE_NO_HOST, CURLUE_BAD_HOSTNAME: "the address has no valid host name"
    case CURLUE_BAD_LOGIN: "the user information cannot be read; percent-encode it"
    case CURLUE_BAD_IPV6: "the IPv6 address cannot be read"
    case CURLUE_BAD_SCHEME, CURLUE_UNSUPPORTED_SCHEME: "the address has no known scheme"
    case CURLUE_BAD_SLASHES: "the scheme must be followed by two slashes"
    default: "the address cannot be read"
    }
  }
}
