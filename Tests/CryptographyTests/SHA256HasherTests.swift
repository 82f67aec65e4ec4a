import Cryptography
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SHA256HasherTests {
  /// Source: FIPS 180-4 example values, and the empty message.
  static let vectors = [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ]

  @Test(arguments: vectors)
  func `known messages have their known digests`(message: String, digest: String) {
    let hasher = SHA256Hasher()
    hasher.update(message.utf8)
    #expect(hasher.finalize().hexadecimal == digest)
  }

  @Test(arguments: vectors)
  func `pieces give the digest of the whole`(message: String, digest: String) {
    let hasher = SHA256Hasher()
    for byte in message.utf8 { hasher.update(CollectionOfOne(byte)) }
    #expect(hasher.finalize().hexadecimal == digest)
  }

  @Test func `a file is digested whole, whatever its position`() throws {
    let path = NSTemporaryDirectory() + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: path) }
    let bytes = [UInt8](repeating: 7, count: 300_001)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let file = open(path, O_RDONLY)
    defer { close(file) }
    lseek(file, 1_000, SEEK_SET)
    let hasher = SHA256Hasher()
    hasher.update(bytes)
    #expect(SHA256Hasher.digest(ofFile: file) == hasher.finalize())
  }

  @Test func `what cannot be read has no digest`() {
    #expect(SHA256Hasher.digest(ofFile: -1) == nil)
  }

  @Test(arguments: vectors)
  func `a digest is read back from its digits`(message: String, digest: String) {
    #expect(SHA256Digest(hexadecimal: digest)?.hexadecimal == digest)
  }

  @Test(arguments: ["", "00", String(repeating: "0", count: 63), String(repeating: "0", count: 65)])
  func `text of another length is no digest`(text: String) {
    #expect(SHA256Digest(hexadecimal: text) == nil)
  }

  @Test(arguments: ["A", "g", "/", ":", "`", " "])
  func `text with another character is no digest`(character: String) {
    #expect(SHA256Digest(hexadecimal: String(repeating: "0", count: 63) + character) == nil)
  }

  @Test func `names differ and keep to their alphabet`() {
    let names = Set((0..<100).map { _ in RandomName.make() })
    #expect(names.count == 100)
    #expect(names.allSatisfy { $0.count == 16 && $0.allSatisfy { $0.isASCII && $0 != "/" } })
  }
}
