import Glibc

/// Where the service listens: an address with a port.
struct ListeningAddress: Sendable, Hashable {
  /// Numeric, without brackets.
  let address: String
  let port: UInt16

  /// Where it listens unless told otherwise.
  static let usual = ListeningAddress(address: "127.0.0.1", port: 8_470)

  /// An address with a port.
  init(address: String, port: UInt16) {
    self.address = address
    self.port = port
  }

  /// Reads `127.0.0.1:8470`, `[::1]:8470` or `8470`.
  ///
  /// - Parameter text: As a user writes it.
  init?(_ text: String) {
    let port: Substring
    if text.first == "[" {
      guard let end = text.firstIndex(of: "]"), text[end...].hasPrefix("]:") else { return nil }
      address = String(text[text.index(after: text.startIndex)..<end])
      port = text[end...].dropFirst(2)
    } else if let colon = text.lastIndex(of: ":") {
      address = String(text[..<colon])
      port = text[text.index(after: colon)...]
    } else {
      address = Self.usual.address
      port = text[...]
    }
    guard Self.isNumeric(address), port.allSatisfy(\.isNumber), let number = UInt16(port) else {
      return nil
    }
    self.port = number
  }

  /// Whether it is an IPv4 or IPv6 address: a name could come to mean another one tomorrow.
  private static func isNumeric(_ address: String) -> Bool {
    var bytes = in6_addr()
    return inet_pton(AF_INET, address, &bytes) == 1 || inet_pton(AF_INET6, address, &bytes) == 1
  }

  /// Where this machine itself reaches it: no certificate names "every address".
  var fromHere: ListeningAddress {
    switch address {
    case "0.0.0.0": ListeningAddress(address: "127.0.0.1", port: port)
    case "::": ListeningAddress(address: "::1", port: port)
    default: self
    }
  }

  /// As a user would write it.
  var asWritten: String {
    address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
  }
}
