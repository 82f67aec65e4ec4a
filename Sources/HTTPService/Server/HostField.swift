import Glibc

/// A value of `Host`: a name or numeric address, and at most a port (RFC 9110, section 7.2).
///
/// What others could read differently is none: it decides who is let in.
struct HostField: Sendable, Hashable {
  /// Without the brackets that an IPv6 address has.
  let name: String
  /// Whether it is an IPv6 address in brackets.
  let isBracketed: Bool

  /// Takes a value apart.
  ///
  /// - Parameter value: As sent; empty where the client has no name for this server.
  init?(_ value: String) {
    isBracketed = value.first == "["
    guard
      let end = isBracketed
        ? value.firstIndex(of: "]") : value.firstIndex(of: ":") ?? value.endIndex
    else { return nil }
    name = String(isBracketed ? value[..<end].dropFirst() : value[..<end])
    let port = isBracketed ? value[end...].dropFirst() : value[end...]
    guard port.isEmpty || port.first == ":", port.dropFirst().utf8.allSatisfy(Self.isDigit),
      isBracketed ? Self.isIPv6Address(name) : Self.isName(name)
    else { return nil }
  }

  private static func isIPv6Address(_ text: String) -> Bool {
    var address = in6_addr()
    return inet_pton(AF_INET6, text, &address) == 1
  }

  /// RFC 3986, section 3.2.2: `reg-name`, which numeric IPv4 addresses are, too.
  private static func isName(_ text: String) -> Bool {
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard rest.count >= 2, rest.prefix(2).allSatisfy(Self.isHexadecimal) else { return false }
        rest = rest.dropFirst(2)
      } else if !isDigit(byte), !isLetter(byte), !marks.contains(byte) {
        return false
      }
    }
    return true
  }

  private static let marks = Set("-._~!$&'()*+,;=".utf8)

  private static func isDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte & 0xDF)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (0x41...0x46).contains(byte & 0xDF)
  }
}
