import Downloading
import Testing

@Suite(.timeLimit(.minutes(1)))
struct AddressGuardTests {
  private func refusal(_ address: String, _ policy: AddressPolicy = AddressPolicy()) -> String? {
    guard let address = IPAddress(address) else { return "no address" }
    return AddressGuard(policy: policy).refusal(of: address)
  }

  @Test(arguments: [
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255",
    "127.0.0.1", "127.8.9.10", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8",
    "192.0.2.1", "192.168.0.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9",
    "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:0:10.0.0.1",
    "64:ff9b::10.0.0.1", "64:ff9b:1::1", "2002:7f00:1::", "2002:a00:1::1", "2001::1",
    "2001:db8::1", "2001:4860::5efe:10.0.0.1", "2001:4860::200:5efe:192.168.1.1", "100::1",
    "fc00::1", "fdff::1", "fe80::1", "fec0::1", "ff02::1", "3fff::1", "4000::1", "8000::1",
  ])
  func `a special address is refused`(address: String) {
    #expect(refusal(address) != nil)
  }

  @Test(arguments: [
    "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
    "128.0.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0", "198.17.255.255",
    "198.20.0.0", "223.255.255.255", "2606:4700::1111", "2a00:1450::1", "64:ff9b::1.1.1.1",
    "::ffff:8.8.8.8", "2002:808:808::1",
  ])
  func `a public address is allowed`(address: String) {
    #expect(refusal(address) == nil)
  }

  @Test func `an allowed network is allowed, its neighbours are not`() throws {
    let policy = AddressPolicy(allowedNetworks: [try #require(AddressRange("127.0.0.1/32"))])
    #expect(refusal("127.0.0.1", policy) == nil)
    #expect(refusal("::ffff:127.0.0.1", policy) == nil)
    #expect(refusal("127.0.0.2", policy) != nil)
  }

  @Test func `private addresses can be allowed, nonsense cannot`() {
    let policy = AddressPolicy(allowsPrivateAddresses: true)
    #expect(refusal("192.168.1.1", policy) == nil)
    #expect(refusal("::1", policy) == nil)
    #expect(refusal("fd00::1", policy) == nil)
    #expect(refusal("224.0.0.1", policy) != nil)
    #expect(refusal("0.0.0.0", policy) != nil)
  }

  @Test(arguments: ["10.0.0.0/8", "fd00::/8", "1.2.3.4", "::1", "0.0.0.0/0"])
  func `a network is read in CIDR notation`(text: String) {
    #expect(AddressRange(text) != nil)
  }

  @Test(arguments: [
    "", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0/8", "::/129", "host/8", "1.2.3.4/8/8",
    "010.0.0.1", "1.2.3.4/+8",
  ])
  func `what is no network is refused`(text: String) {
    #expect(AddressRange(text) == nil)
  }
}
