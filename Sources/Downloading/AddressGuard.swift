/// Judges the address that is about to be connected to, not the name in the URL: a public name may
/// resolve to a private address, and so may any redirect.
package struct AddressGuard: Sendable {
  package let policy: AddressPolicy

  package init(policy: AddressPolicy) {
    self.policy = policy
  }

  /// Why an address is refused, in a word or two; nothing where it may be connected to.
  package func refusal(of address: IPAddress) -> String? {
    if policy.allowedNetworks.contains(where: { $0.contains(address) }) { return nil }
    if let hidden = address.embeddedIPv4 {
      return refusal(of: hidden).map { "\($0) inside IPv6" }
    }
    guard let special = Self.specialRanges.first(where: { $0.range.contains(address) }) else {
      return address.bytes.count == 16 && address.bytes[0] >> 5 != 1 ? "not global unicast" : nil
    }
    return policy.allowsPrivateAddresses && special.isPrivate ? nil : special.name
  }

  /// Whether what an address once sent may be used as if it came from there now.
  ///
  /// - Parameter address: Its numeric text; nothing where it is not known.
  /// - Returns: Whether it is known, and may be connected to.
  func admits(copyFrom address: String?) -> Bool {
    guard let address = address.flatMap({ IPAddress($0) }) else { return false }
    return refusal(of: address) == nil
  }

  private struct SpecialRange {
    let range: AddressRange
    let name: String
    let isPrivate: Bool

    init?(_ range: String, _ name: String, isPrivate: Bool = false) {
      guard let range = AddressRange(range) else { return nil }
      self.range = range
      self.name = name
      self.isPrivate = isPrivate
    }
  }

  /// Source: the IANA registries of special-purpose IPv4 and IPv6 addresses (RFC 6890).
  private static let specialRanges: [SpecialRange] = [
    SpecialRange("0.0.0.0/8", "this network"),
    SpecialRange("10.0.0.0/8", "private", isPrivate: true),
    SpecialRange("100.64.0.0/10", "carrier-grade NAT", isPrivate: true),
    SpecialRange("127.0.0.0/8", "loopback", isPrivate: true),
    SpecialRange("169.254.0.0/16", "link-local", isPrivate: true),
    SpecialRange("172.16.0.0/12", "private", isPrivate: true),
    SpecialRange("192.0.0.0/24", "protocol assignments"),
    SpecialRange("192.0.2.0/24", "documentation"),
    SpecialRange("192.88.99.0/24", "6to4 relay"),
    SpecialRange("192.168.0.0/16", "private", isPrivate: true),
    SpecialRange("198.18.0.0/15", "benchmarking", isPrivate: true),
    SpecialRange("198.51.100.0/24", "documentation"),
    SpecialRange("203.0.113.0/24", "documentation"),
    SpecialRange("224.0.0.0/4", "multicast"),
    SpecialRange("240.0.0.0/4", "reserved"),
    SpecialRange("::1/128", "loopback", isPrivate: true),
    SpecialRange("64:ff9b:1::/48", "local-use NAT64"),
    SpecialRange("2001::/23", "protocol assignments"),
    SpecialRange("2001:db8::/32", "documentation"),
    SpecialRange("3fff::/20", "documentation"),
    SpecialRange("fc00::/7", "unique local", isPrivate: true),
    SpecialRange("fe80::/10", "link-local", isPrivate: true),
    SpecialRange("fec0::/10", "site-local", isPrivate: true),
    SpecialRange("ff00::/8", "multicast"),
  ].compactMap(\.self)
}

extension IPAddress {
  /// The IPv4 address that an IPv6 address carries, in any of the standard forms.
  ///
  /// IPv4-mapped and -compatible (RFC 4291), NAT64 (RFC 6052), 6to4 (RFC 3056), ISATAP (RFC 5214).
  package var embeddedIPv4: IPAddress? {
    guard bytes.count == 16 else { return nil }
    let low = IPAddress(bytes: Array(bytes[12...]))
    let zeros = bytes.prefix { $0 == 0 }.count
    if zeros >= 12, bytes[12...] != [0, 0, 0, 1], bytes[12...] != [0, 0, 0, 0] { return low }
    if zeros == 10, bytes[10] == 0xff, bytes[11] == 0xff { return low }
    // IPv4-translated (RFC 2765): ::ffff:0:a.b.c.d.
    if zeros == 8, bytes[8...11] == [0xff, 0xff, 0, 0] { return low }
    if bytes.starts(with: [0, 0x64, 0xff, 0x9b]), bytes[4..<12].allSatisfy({ $0 == 0 }) {
      return low
    }
    if bytes.starts(with: [0x20, 0x02]) { return IPAddress(bytes: Array(bytes[2..<6])) }
    if bytes[10] == 0x5e, bytes[11] == 0xfe, bytes[9] == 0, bytes[8] & 0xfd == 0 { return low }
    return nil
  }
}
