/// Which hosts may be connected to: judged by the address and port of each connection.
public struct AddressPolicy: Sendable, Hashable {
  /// Whether private, loopback and link-local addresses are allowed; default: false.
  public var allowsPrivateAddresses: Bool
  /// Networks that are allowed whatever they are; default: none.
  public var allowedNetworks: [AddressRange]
  /// Ports allowed besides 80, 443 and 1024 to 65535; default: none.
  public var allowedPorts: Set<Int>

  /// A policy; public addresses only, unless said otherwise.
  public init(
    allowsPrivateAddresses: Bool = false,
    allowedNetworks: [AddressRange] = [],
    allowedPorts: Set<Int> = []
  ) {
    self.allowsPrivateAddresses = allowsPrivateAddresses
    self.allowedNetworks = allowedNetworks
    self.allowedPorts = allowedPorts
  }

  /// Whether a port may be connected to.
  func allows(port: Int) -> Bool {
    port == 80 || port == 443 || (1_024...65_535).contains(port) || allowedPorts.contains(port)
  }
}
