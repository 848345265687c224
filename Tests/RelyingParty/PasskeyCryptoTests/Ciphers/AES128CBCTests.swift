// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

struct AES128CBCTests {
  /// NIST SP 800-38A, F.2.1: the first two blocks.
  @Test func `matches NIST SP 800-38A F.2.1 in both directions`() throws {
    let key = SecretBytes(hex("2b7e151628aed2a6abf7158809cf4f3c"))
    let vector = hex("000102030405060708090a0b0c0d0e0f")[...]
    let plaintext = hex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51")
    let ciphertext = try AES128CBC.encrypt(plaintext, key: key, initialVector: vector)
    #expect(ciphertext == hex("7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"))
    #expect(try AES128CBC.decrypt(ciphertext, key: key, initialVector: vector).exposedBytes == plaintext)
  }

  @Test(arguments: [(15, 16, 16), (32, 16, 16), (16, 15, 16), (16, 16, 17), (16, 0, 16)])
  func `rejects other lengths`(key: Int, vector: Int, message: Int) {
    func zeros(_ count: Int) -> Bytes { [UInt8](repeating: 0, count: count)[...] }
    #expect(throws: PasskeyCryptoError.self) {
      try AES128CBC.encrypt(zeros(message), key: SecretBytes(zeros(key)), initialVector: zeros(vector))
    }
  }
}
