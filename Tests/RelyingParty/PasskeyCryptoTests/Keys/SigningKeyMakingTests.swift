// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct SigningKeyMakingTests {
  @Test(arguments: supportedAlgorithms)
  func `a key depends only on its seed`(algorithm: COSEAlgorithm) throws {
    let label = algorithm.description
    let again = try SigningKey.generate(
      algorithm, random: .seeded(Array("PasskeyCryptoTests".utf8), label: label))
    #expect(again.publicKey == (try TestKeys.key(algorithm)).publicKey)
  }

  @Test(arguments: [COSEAlgorithm.es256, .es384, .es512, .es256k, .eddsa, .ed448, .rs256, .ps256])
  func `keys from the system's source differ`(algorithm: COSEAlgorithm) throws {
    let one = try SigningKey.generate(algorithm, random: .system)
    let two = try SigningKey.generate(algorithm, random: .system)
    #expect(one.publicKey != two.publicKey)
    try one.publicKey.verify(one.sign([0x01]), over: [0x01])
  }

  @Test func `a seeded RSA key always takes two draws`() throws {
    let source = RandomSource.seeded([0x05])
    let key = try SigningKey.generate(.rs256, random: source)
    let reference = RandomSource.seeded([0x05])
    _ = try (reference.bytes(128), reference.bytes(128))
    #expect(try source.bytes(16) == reference.bytes(16))
    guard case .rsa(let modulus, let exponent) = key.publicKey.material else {
      Issue.record("not an RSA key")
      return
    }
    #expect(modulus.count == 256 && (modulus.first ?? 0) >= 0x80)
    #expect(Array(exponent) == [0x01, 0x00, 0x01])
  }

  @Test(arguments: [2048, 3072]) func `an RSA modulus has exactly the requested length`(bitCount: Int) throws {
    for random in [RandomSource.system, .seeded([0x06])] {
      let key = try SigningKey.generate(.ps256, random: random, modulusBitCount: bitCount)
      guard case .rsa(let modulus, _) = key.publicKey.material else {
        Issue.record("not an RSA key")
        return
      }
      #expect(modulus.count * 8 == bitCount && (modulus.first ?? 0) >= 0x80)
    }
  }

  @Test(arguments: [Int.min, 0, 1024, 2047, 2056, 8208, .max])
  func `rejects other RSA modulus sizes`(bitCount: Int) {
    #expect(throws: PasskeyCryptoError(.invalidParameter, "an RSA modulus of \(bitCount) bits")) {
      try SigningKey.generate(.rs256, random: .system, modulusBitCount: bitCount)
    }
  }

  @Test func `rejects a scalar of zero or at least the order`() throws {
    let order = hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
    var beforeOrder = order
    beforeOrder[31] -= 1
    _ = try SigningKey(.es256, privateKey: SecretBytes(beforeOrder))
    for scalar in [[0x00], order, [UInt8](repeating: 0xff, count: 32)] {
      #expect(throws: PasskeyCryptoError(.invalidKey, "the scalar is not between zero and the order")) {
        try SigningKey(.es256, privateKey: SecretBytes(scalar))
      }
    }
    for count in [0, 33] {
      #expect(throws: PasskeyCryptoError(.invalidKey, "a scalar of \(count) bytes")) {
        try SigningKey(.es256, privateKey: SecretBytes([UInt8](repeating: 0, count: count)))
      }
    }
  }

  @Test func `accepts a scalar without leading zeros`() throws {
    let short = try SigningKey(.es512, privateKey: SecretBytes([0x07]))
    let long = try SigningKey(.es512, privateKey: SecretBytes([UInt8](repeating: 0, count: 65) + [0x07]))
    #expect(short.publicKey == long.publicKey)
  }

  @Test(arguments: [(COSEAlgorithm.eddsa, 31), (.ed25519, 33), (.ed448, 32), (.ed448, 58)])
  func `rejects seeds of other lengths`(algorithm: COSEAlgorithm, count: Int) {
    #expect(throws: PasskeyCryptoError(.invalidKey, "a seed of \(count) bytes")) {
      try SigningKey(algorithm, privateKey: SecretBytes([UInt8](repeating: 1, count: count)))
    }
  }

  @Test func `rejects numbers that do not form an RSA key`() throws {
    LibCrypto.clearErrors()
    let p = SecretBytes([0xff] + [UInt8](repeating: 0xff, count: 127))
    let q = SecretBytes([0xfe] + [UInt8](repeating: 0xff, count: 127))
    #expect(throws: PasskeyCryptoError.self) { try SigningKey(.rs256, primes: p, q) }
    #expect(throws: PasskeyCryptoError(.invalidKey, "a prime of 0 or 1024 bits")) {
      try SigningKey(.rs256, primes: SecretBytes([]), p)
    }
    let long = SecretBytes([UInt8](repeating: 0xff, count: 2000))
    #expect(throws: PasskeyCryptoError(.invalidKey, "a prime of 16000 or 16000 bits")) {
      try SigningKey(.rs256, primes: long, long)
    }
    #expect(throws: PasskeyCryptoError(.keyMismatch, "two primes define an RSA key")) {
      try SigningKey(.es256, primes: p, q)
    }
    #expect(throws: PasskeyCryptoError(.keyMismatch, "an RSA key needs two primes")) {
      try SigningKey(.rs256, privateKey: p)
    }
    #expect(LibCrypto.errorQueueIsEmpty)
  }
}
