// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct SealedBoxTests {
  /// Test cases 13 to 16 of the GCM specification, on which NIST SP 800-38D is based.
  struct Vector: Sendable {
    let key: String
    let nonce: String
    let plaintext: String
    let context: String
    let ciphertext: String
    let tag: String
  }

  @Test(arguments: vectors) func `matches the known answers of GCM in both directions`(vector: Vector) throws {
    let key = SecretBytes(hex(vector.key))
    let context = hex(vector.context)[...]
    let box = try SealedBox.seal(
      hex(vector.plaintext), key: key, nonce: hex(vector.nonce), authenticating: context)
    #expect(Array(box.ciphertext) == hex(vector.ciphertext))
    #expect(Array(box.tag) == hex(vector.tag))
    #expect(try box.open(key: key, authenticating: context).exposedBytes == hex(vector.plaintext))
  }

  @Test func `rejects a box with any flipped bit`() throws {
    LibCrypto.clearErrors()
    let key = SecretBytes([UInt8](repeating: 0x01, count: 32))
    let box = try SealedBox.seal([0x0a, 0x0b], key: key, authenticating: [0x0c], random: .seeded([0x01]))
    let combined = box.combined
    #expect(combined.count == 12 + 2 + 16)
    for bit in 0..<combined.count * 8 {
      var changed = combined
      changed[bit / 8] ^= 1 << (bit % 8)
      #expect(throws: PasskeyCryptoError(.authenticationFailed)) {
        try SealedBox(combined: changed).open(key: key, authenticating: [0x0c])
      }
    }
    #expect(throws: PasskeyCryptoError(.authenticationFailed)) { try box.open(key: key, authenticating: [0x0d]) }
    #expect(throws: PasskeyCryptoError(.authenticationFailed)) { try box.open(key: key) }
    let other = SecretBytes([UInt8](repeating: 0x02, count: 32))
    #expect(throws: PasskeyCryptoError(.authenticationFailed)) { try box.open(key: other, authenticating: [0x0c]) }
    #expect(try SealedBox(combined: combined) == box)
    #expect(LibCrypto.errorQueueIsEmpty)
  }

  @Test func `rejects other lengths of key, nonce and tag`() throws {
    let key = SecretBytes([UInt8](repeating: 0, count: 32))
    let nonce = [UInt8](repeating: 0, count: 12)[...]
    for count in [0, 16, 31, 33] {
      let wrong = SecretBytes([UInt8](repeating: 0, count: count))
      #expect(throws: PasskeyCryptoError(.invalidLength, "a key of \(count) bytes or a nonce of 12")) {
        try SealedBox.seal([], key: wrong, nonce: nonce)
      }
      #expect(throws: PasskeyCryptoError(.invalidLength, "a key of \(count) bytes")) {
        try SealedBox.seal([], key: key, nonce: nonce).open(key: wrong)
      }
    }
    for count in [0, 11, 13, 16] {
      #expect(throws: PasskeyCryptoError(.invalidLength, "a key of 32 bytes or a nonce of \(count)")) {
        try SealedBox.seal([], key: key, nonce: [UInt8](repeating: 0, count: count))
      }
    }
    #expect(throws: PasskeyCryptoError(.invalidLength, "a nonce of 12 bytes or a tag of 15")) {
      try SealedBox(nonce: nonce, ciphertext: [], tag: [UInt8](repeating: 0, count: 15))
    }
    #expect(throws: PasskeyCryptoError(.invalidLength, "a box of 27 bytes")) {
      try SealedBox(combined: [UInt8](repeating: 0, count: 27))
    }
  }

  static let vectors = [
    Vector(
      key: "0000000000000000000000000000000000000000000000000000000000000000",
      nonce: "000000000000000000000000",
      plaintext: "",
      context: "",
      ciphertext: "",
      tag: "530f8afbc74536b9a963b4f1c4cb738b"),
    Vector(
      key: "0000000000000000000000000000000000000000000000000000000000000000",
      nonce: "000000000000000000000000",
      plaintext: "00000000000000000000000000000000",
      context: "",
      ciphertext: "cea7403d4d606b6e074ec5d3baf39d18",
      tag: "d0d1c8a799996bf0265b98b5d48ab919"),
    Vector(
      key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
      nonce: "cafebabefacedbaddecaf888",
      plaintext: """
        d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72
        1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255
        """,
      context: "",
      ciphertext: """
        522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa
        8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad
        """,
      tag: "b094dac5d93471bdec1a502270e3cc6c"),
    Vector(
      key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
      nonce: "cafebabefacedbaddecaf888",
      plaintext: """
        d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72
        1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39
        """,
      context: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
      ciphertext: """
        522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa
        8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662
        """,
      tag: "76fc6ece0f4e1768cddf8853bb2d551b"),
  ]
}
