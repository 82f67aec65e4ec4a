/// A network in CIDR notation, as in `10.0.0.0/8` or `fd00::/8`.
public struct AddressRange: Sendable, Hashable, CustomStringConvertible {
  /// The network's address.
  public let network: IPAddress
  /// How many leading bits count.
  public let prefixLength: Int

  /// Reads CIDR notation; a bare address means only itself.
  ///
  /// - Returns: Nothing for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let address = IPAddress(String(parts[0])) else { return nil }
    let most = address.bytes.count * 8
    guard parts.count == 1 || parts[1].allSatisfy(\.isNumber),
      let length = parts.count == 1 ? most : Int(parts[1]), length <= most
    else { return nil }
    network = address
    prefixLength = length
  }

  /// Whether an address of the same family lies in the network.
  public func contains(_ address: IPAddress) -> Bool {
    guard address.bytes.count == network.bytes.count else { return false }
    let whole = prefixLength / 8
    guard address.bytes.prefix(whole).elementsEqual(network.bytes.prefix(whole)) else {
      return false
    }
    let rest = prefixLength % 8
    guard rest > 0 else { return true }
    return address.bytes[whole] >> (8 - rest) == network.bytes[whole] >> (8 - rest)
  }

  /// The CIDR notation.
  public var description: String {
    "\(network)/\(prefixLength)"
  }
}
