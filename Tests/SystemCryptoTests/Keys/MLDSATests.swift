// SPDX-License-Identifier: Apache-2.0

import COSE
import SystemCrypto
import TestSupport
import Testing
import WireFormats

/// ML-DSA-specific tests. If the running libcrypto lacks ML-DSA, the error must say so.
@Suite struct MLDSATests {
  struct Vector: Sendable {
    let algorithm: COSEAlgorithm
    /// The SHA-256 hash of the public key of FIPS 204's KeyGen_internal for the seed 00 01 … 1f.
    let publicKeyDigest: String
    let signatureByteCount: Int
  }

  @Test(arguments: [
    Vector(
      algorithm: .mlDSA44, publicKeyDigest: "9f107644c1084526af3bc8098680b05499a2325a644e388fb4f970e058d19d46",
      signatureByteCount: 2420),
    Vector(
      algorithm: .mlDSA65, publicKeyDigest: "d666806e11cee19a7c989f7445f90dd419cf4d2d51db8c0fdb4c0f0a542238c9",
      signatureByteCount: 3309),
    Vector(
      algorithm: .mlDSA87, publicKeyDigest: "91dc389cfaa01470b7f66eee45a4ae9026d154817c754dfe22298b3fa241ffcd",
      signatureByteCount: 4627),
  ])
  func `a seed gives its key, or the missing algorithm is reported`(vector: Vector) throws {
    let seed = SecretBytes([UInt8](0x00...0x1f))
    guard supportedAlgorithms.contains(vector.algorithm) else {
      let refused = CryptoError(.unsupportedAlgorithm, vector.algorithm.description)
      #expect(throws: refused) { try SigningKey(vector.algorithm, privateKey: seed) }
      return
    }
    let key = try SigningKey(vector.algorithm, privateKey: seed)
    guard case .akp(let publicKey) = key.publicKey.material else {
      Issue.record("not an ML-DSA key")
      return
    }
    #expect(Digest.sha256(publicKey) == hex(vector.publicKeyDigest))
    for mode in [SigningMode.randomized, .deterministic] {
      let signature = try key.sign([0x01], mode)
      #expect(signature.count == vector.signatureByteCount)
      try key.publicKey.verify(signature, over: [0x01])
    }
  }
}
