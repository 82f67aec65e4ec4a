import Glibc

extension OriginServer {
  /// What an origin shows in the TLS handshake; files of `Tests/TestSupport/Certificates`.
  public enum Certificate: String, Sendable, Hashable, CaseIterable {
    /// For localhost, 127.0.0.1 and 127.0.0.2, signed by the test authority, valid to 2126.
    case good
    /// As good, but signed by itself.
    case selfSigned = "self-signed"
    /// As good, but its time was over in 2021.
    case expired
    /// Signed by the test authority for a host of another name.
    case wrongHost = "wrong-host"

    /// The key and the certificate, as PEM.
    func texts() throws(OriginError) -> (key: String, chain: String) {
      (try Self.text(of: "\(rawValue).key.pem"), try Self.text(of: "\(rawValue).pem"))
    }

    static let folder = "\(Fixture.projectFolder)/Tests/TestSupport/Certificates"

    private static func text(of name: String) throws(OriginError) -> String {
      let path = "\(folder)/\(name)"
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        throw OriginError(description: "cannot read \(path): errno \(errno)")
      }
      defer { close(descriptor) }
      var bytes = [UInt8](repeating: 0, count: 64 << 10)
      // Invariant: `read` writes no more than the array's count.
      let count = read(descriptor, &bytes, bytes.count)
      return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
  }
}
