// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct VerifyingKeyTests {
  private let message: Bytes = [0x6d]

  @Test(arguments: [COSEAlgorithm.es256, .es384, .es512, .es256k])
  func `rejects a point off the curve, and verifies the next key correctly`(algorithm: COSEAlgorithm) throws {
    LibCrypto.clearErrors()
    let signer = try TestKeys.key(algorithm)
    let signature = try signer.sign(message)[...]
    guard case .ec2(let curve, let x, var y) = signer.publicKey.material else {
      Issue.record("not a key with two coordinates")
      return
    }
    y[y.endIndex - 1] ^= 0x01
    let off = try COSEKey(algorithm: algorithm, material: .ec2(curve: curve, x: x, y: y))
    let zeros = [UInt8](repeating: 0, count: x.count)[...]
    let infinity = try COSEKey(algorithm: algorithm, material: .ec2(curve: curve, x: zeros, y: zeros))
    for bad in [off, infinity] {
      try signer.publicKey.verify(signature, over: message)
      #expect(throws: PasskeyCryptoError(.invalidKey, "the point is not on the curve")) {
        try bad.verify(signature, over: message)
      }
      #expect(throws: PasskeyCryptoError(.invalidKey)) { try VerifyingKey(bad) }
      #expect(throws: PasskeyCryptoError(.invalidKey, "the point is not on the curve")) {
        try bad.requirePointOnCurve()
      }
      try signer.publicKey.requirePointOnCurve()
      try signer.publicKey.verify(signature, over: message)
      #expect(throws: PasskeyCryptoError(.invalidSignature)) { try signer.publicKey.verify(signature, over: []) }
    }
    #expect(LibCrypto.errorQueueIsEmpty)
  }

  @Test(arguments: [COSEAlgorithm.es256, .eddsa, .ed448])
  func `consecutive keys on a thread do not interfere`(algorithm: COSEAlgorithm) throws {
    let one = try TestKeys.key(algorithm)
    let two = try SigningKey.generate(algorithm, random: .seeded([0x03]))
    let ones = try one.sign(message)[...]
    let twos = try two.sign(message)[...]
    for _ in 0..<3 {
      try one.publicKey.verify(ones, over: message)
      #expect(throws: PasskeyCryptoError(.invalidSignature)) { try two.publicKey.verify(ones, over: message) }
      try two.publicKey.verify(twos, over: message)
      #expect(throws: PasskeyCryptoError(.invalidSignature)) { try one.publicKey.verify(twos, over: message) }
    }
  }

  @Test(arguments: [COSEAlgorithm.es256, .es384, .es512, .es256k])
  func `a checked key does not affect the next verification`(algorithm: COSEAlgorithm) throws {
    let one = try TestKeys.key(algorithm)
    let two = try SigningKey.generate(algorithm, random: .seeded([0x03]))
    let ones = try one.sign(message)[...]
    let twos = try two.sign(message)[...]
    for _ in 0..<3 {
      try one.publicKey.requirePointOnCurve()
      try one.publicKey.verify(ones, over: message)
      try one.publicKey.requirePointOnCurve()
      #expect(throws: PasskeyCryptoError(.invalidSignature)) { try one.publicKey.verify(twos, over: message) }
      try one.publicKey.requirePointOnCurve()
      #expect(throws: PasskeyCryptoError(.invalidSignature)) { try two.publicKey.verify(ones, over: message) }
      try one.publicKey.requirePointOnCurve()
      try two.publicKey.verify(twos, over: message)
    }
  }

  /// All sequences of three operations with two keys, each a check or a verification, give what each gives alone.
  @Test func `checks and verifications do not interfere in any sequence`() throws {
    let keys = [try TestKeys.key(.es256), try SigningKey.generate(.es256, random: .seeded([0x03]))]
    let signatures = try keys.map { (key) in try key.sign(message)[...] }
    var operations: [() -> Bool] = []
    for (number, key) in keys.map(\.publicKey).enumerated() {
      operations.append { (try? key.requirePointOnCurve()) != nil }
      for (signer, signature) in signatures.enumerated() {
        operations.append { [message] in
          ((try? key.verify(signature, over: message)) != nil) == (signer == number)
        }
      }
    }
    for first in operations.indices {
      for second in operations.indices {
        for third in operations.indices {
          let areRight = [first, second, third].map { (place) in operations[place]() }
          #expect(areRight == [true, true, true], "operations \(first), \(second), \(third)")
        }
      }
    }
  }

  @Test func `a message in two parts equals the whole, at every split`() throws {
    let message = [UInt8](0..<69)[...]
    for algorithm in supportedAlgorithms {
      let signer = try TestKeys.key(algorithm)
      let signature = try signer.sign(message)[...]
      for place in [0, 1, 37, 68, 69] {
        let (first, rest) = (message.prefix(place), message.dropFirst(place))
        try signer.publicKey.verify(signature, over: first, followedBy: rest)
        guard !first.isEmpty, !rest.isEmpty else { continue }
        #expect(throws: PasskeyCryptoError(.invalidSignature)) {
          try signer.publicKey.verify(signature, over: rest, followedBy: first)
        }
        #expect(throws: PasskeyCryptoError(.invalidSignature)) { try signer.publicKey.verify(signature, over: first) }
      }
    }
  }

  @Test func `a prepared key remains usable after invalid signatures`() throws {
    for algorithm in supportedAlgorithms {
      let signer = try TestKeys.key(algorithm)
      let key = try VerifyingKey(signer.publicKey)
      let signature = try signer.sign(message)[...]
      for _ in 0..<3 {
        #expect(throws: PasskeyCryptoError(.invalidSignature)) { try key.verify([0x30, 0x00], over: message) }
        try key.verify(signature, over: message)
      }
      #expect(key.scheme == algorithm.definition?.scheme)
      #expect(key.material == signer.publicKey.material)
    }
  }

  @Test func `a key agreement key cannot verify`() throws {
    let key = try KeyAgreement(random: .seeded([0x01])).publicKey
    let refused = PasskeyCryptoError(.unsupportedAlgorithm, "ECDH-ES+HKDF-256")
    #expect(throws: refused) { try VerifyingKey(key) }
    #expect(throws: refused) { try key.verify([0x30], over: message) }
  }

  @Test func `rejects a scheme of another key type`() throws {
    let ec = try TestKeys.key(.es256).publicKey.material
    let rsa = try TestKeys.key(.rs256).publicKey.material
    for (material, scheme) in [
      (ec, COSEAlgorithm.SignatureScheme.eddsa), (ec, .rsaPKCS1(.sha256)), (ec, .mlDSA), (ec, .keyAgreement),
      (rsa, .ecdsa(.sha256)), (rsa, .eddsa),
    ] {
      #expect(throws: PasskeyCryptoError(.keyMismatch, "\(material.keyType) key does not match the scheme")) {
        try VerifyingKey(material, scheme: scheme)
      }
    }
  }

  @Test func `an RSA key with any scheme must satisfy COSE's limits`() {
    let material = COSEKey.Material.rsa(
      modulus: [UInt8](repeating: 0xff, count: 9000)[...], exponent: [0x01, 0x00, 0x01])
    #expect {
      try VerifyingKey(material, scheme: .rsaPKCS1(.sha256))
    } throws: { (error) in
      (error as? PasskeyCryptoError)?.code == .invalidKey
    }
  }

  @Test func `rejects ECDSA numbers of zero or the order`() throws {
    let order = hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
    let key = try TestKeys.key(.es256).publicKey
    for number in [[0x00], [0x00] + order] {
      let integer = [0x02, UInt8(number.count)] + number
      let signature = [0x30, UInt8(integer.count * 2)] + integer + integer
      #expect(throws: PasskeyCryptoError(.invalidSignature)) { try key.verify(signature, over: message) }
    }
  }
}
