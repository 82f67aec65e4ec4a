/// Which addresses may be connected to.
public struct AddressPolicy: Sendable, Hashable {
  /// Whether private, loopback and link-local addresses are allowed; default: false.
  public var allowsPrivateAddresses: Bool
  /// Networks that are allowed whatever they are; default: none.
  public var allowedNetworks: [AddressRange]

  /// A policy; public addresses only, unless said otherwise.
  public init(allowsPrivateAddresses: Bool = false, allowedNetworks: [AddressRange] = []) {
    self.allowsPrivateAddresses = allowsPrivateAddresses
    self.allowedNetworks = allowedNetworks
  }
}
