// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct SigningKeyTests {
  private let message: Bytes = [0x6d, 0x73, 0x67]

  @Test(arguments: supportedAlgorithms)
  func `the public key verifies exactly the signature of its message`(algorithm: COSEAlgorithm) throws {
    LibCrypto.clearErrors()
    let key = try TestKeys.key(algorithm)
    #expect(key.algorithm == algorithm)
    let kept = try VerifyingKey(key.publicKey)
    for mode in [SigningMode.randomized, .deterministic] {
      let signature = try key.sign(message, mode)
      try kept.verify(signature, over: message)
      try key.publicKey.verify(signature, over: message)
      let bads: [Bytes] = [signature.dropLast(), signature[...] + [0x00], [], flipped(signature)[...]]
      for bad in bads {
        #expect(throws: PasskeyCryptoError(.invalidSignature)) { try kept.verify(bad, over: message) }
        #expect(throws: PasskeyCryptoError(.invalidSignature)) { try key.publicKey.verify(bad, over: message) }
      }
      #expect(throws: PasskeyCryptoError(.invalidSignature)) { try kept.verify(signature, over: []) }
      #expect(throws: PasskeyCryptoError(.invalidSignature)) { try key.publicKey.verify(signature, over: []) }
    }
    #expect(LibCrypto.errorQueueIsEmpty)
  }

  @Test(arguments: supportedAlgorithms)
  func `the deterministic mode is reproducible`(algorithm: COSEAlgorithm) throws {
    let key = try TestKeys.key(algorithm)
    #expect(try key.sign(message, .deterministic) == key.sign(message, .deterministic))
  }

  @Test(arguments: supportedAlgorithms.filter { isRandomized($0) })
  func `the randomized mode is not reproducible`(algorithm: COSEAlgorithm) throws {
    let key = try TestKeys.key(algorithm)
    #expect(try key.sign(message) != key.sign(message))
  }

  @Test(arguments: supportedAlgorithms)
  func `rejects another key's signature`(algorithm: COSEAlgorithm) throws {
    let key = try TestKeys.key(algorithm)
    let other = try SigningKey.generate(algorithm, random: .seeded([0x02]))
    #expect(key.publicKey != other.publicKey)
    let signature = try other.sign(message)
    #expect(throws: PasskeyCryptoError(.invalidSignature)) { try key.publicKey.verify(signature, over: message) }
    try other.publicKey.verify(signature, over: message)
  }

  @Test(arguments: [COSEAlgorithm.ecdhESHKDF256, COSEAlgorithm(rawValue: -12345)])
  func `rejects other algorithms by name`(algorithm: COSEAlgorithm) {
    let refused = PasskeyCryptoError(.unsupportedAlgorithm, algorithm.description)
    #expect(throws: refused) { try SigningKey.generate(algorithm, random: .system) }
    #expect(throws: refused) { try SigningKey(algorithm, privateKey: SecretBytes([0x01])) }
    #expect(throws: refused) { try SigningKey(algorithm, pkcs8: SecretBytes([0x01])) }
  }

  @Test(arguments: COSEAlgorithm.knownSignatureAlgorithms)
  func `an algorithm is supported or rejected by name`(algorithm: COSEAlgorithm) throws {
    if supportedAlgorithms.contains(algorithm) {
      #expect(try TestKeys.key(algorithm).algorithm == algorithm)
    } else {
      #expect(throws: PasskeyCryptoError(.unsupportedAlgorithm, algorithm.description)) {
        try SigningKey.generate(algorithm, random: .system)
      }
    }
  }

  private func flipped(_ signature: [UInt8]) -> [UInt8] {
    var flipped = signature
    flipped[signature.count / 2] ^= 0x10
    return flipped
  }
}

private func isRandomized(_ algorithm: COSEAlgorithm) -> Bool {
  switch algorithm.definition?.scheme {
  case .ecdsa, .rsaPSS, .mlDSA: true
  default: false
  }
}
