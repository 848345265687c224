// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct AES256CBCTests {
  @Test func `matches NIST SP 800-38A F.2.5 in both directions`() throws {
    let key = SecretBytes(hex("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"))
    let vector = hex("000102030405060708090a0b0c0d0e0f")[...]
    let plaintext = hex(
      """
      6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51
      30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710
      """)
    let ciphertext = hex(
      """
      f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d
      39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b
      """)
    #expect(try AES256CBC.encrypt(plaintext, key: key, initialVector: vector) == ciphertext)
    #expect(try AES256CBC.decrypt(ciphertext, key: key, initialVector: vector).exposedBytes == plaintext)
  }

  @Test func `an empty message stays empty`() throws {
    let key = SecretBytes([UInt8](repeating: 0, count: 32))
    #expect(try AES256CBC.encrypt([], key: key, initialVector: AES256CBC.zeroVector).isEmpty)
    #expect(try AES256CBC.decrypt([], key: key, initialVector: AES256CBC.zeroVector).count == 0)
  }

  @Test func `rejects partial blocks and wrong key and vector lengths`() {
    let key = SecretBytes([UInt8](repeating: 0, count: 32))
    let zero = AES256CBC.zeroVector[...]
    for count in [1, 15, 17] {
      #expect(throws: PasskeyCryptoError(.invalidLength, "\(count) bytes are not whole blocks")) {
        try AES256CBC.encrypt([UInt8](repeating: 0, count: count), key: key, initialVector: zero)
      }
      #expect(throws: PasskeyCryptoError(.invalidLength, "\(count) bytes are not whole blocks")) {
        try AES256CBC.decrypt([UInt8](repeating: 0, count: count), key: key, initialVector: zero)
      }
    }
    #expect(throws: PasskeyCryptoError(.invalidLength, "a key of 16 bytes")) {
      try AES256CBC.encrypt(zero, key: SecretBytes(zero), initialVector: zero)
    }
    #expect(throws: PasskeyCryptoError(.invalidLength, "an initialization vector of 12 bytes")) {
      try AES256CBC.encrypt(zero, key: key, initialVector: zero.prefix(12))
    }
  }
}
