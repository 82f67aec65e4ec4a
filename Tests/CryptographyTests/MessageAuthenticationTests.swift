import Cryptography
import Testing

/// The vectors are those of RFC 4231, section 4.
@Suite(.timeLimit(.minutes(1)))
struct MessageAuthenticationTests {
  struct Vector: Sendable {
    let key: [UInt8]
    let message: [UInt8]
    let code: String
  }

  static let vectors = [
    Vector(
      key: [UInt8](repeating: 0x0B, count: 20),
      message: Array("Hi There".utf8),
      code: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    Vector(
      key: Array("Jefe".utf8),
      message: Array("what do ya want for nothing?".utf8),
      code: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    Vector(
      key: [UInt8](repeating: 0xAA, count: 131),
      message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      code: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
  ]

  @Test(arguments: vectors)
  func `codes are those of the standard's examples`(vector: Vector) {
    let code = MessageAuthentication(key: vector.key).code(for: vector.message)
    #expect(SHA256Digest(hexadecimal: vector.code)?.bytes == code)
  }

  @Test(arguments: vectors)
  func `a code with one bit flipped, or one byte less, is not valid`(vector: Vector) {
    let authentication = MessageAuthentication(key: vector.key)
    var code = authentication.code(for: vector.message)
    #expect(authentication.isValid(code, for: vector.message))
    #expect(!authentication.isValid(Array(code.dropLast()), for: vector.message))
    code[31] ^= 1
    #expect(!authentication.isValid(code, for: vector.message))
  }

  @Test func `an empty key and an empty message have a code`() {
    let code = MessageAuthentication(key: []).code(for: [])
    #expect(
      SHA256Digest(
        hexadecimal: "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
      )?.bytes == code
    )
  }
}
