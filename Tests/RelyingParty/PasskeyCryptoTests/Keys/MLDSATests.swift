// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

/// ML-DSA, by libcrypto or by the built-in implementation.
@Suite struct PasskeyMLDSATests {
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
  func `a seed gives its key`(vector: Vector) throws {
    let seed = SecretBytes([UInt8](0x00...0x1f))
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

  @Test(arguments: [COSEAlgorithm.mlDSA44, .mlDSA65, .mlDSA87])
  func `reads PKCS#8 with a seed, an expanded key or both`(algorithm: COSEAlgorithm) throws {
    let seed = [UInt8](0x00...0x1f)
    let key = try SigningKey(algorithm, privateKey: SecretBytes(seed))
    let both = try key.pkcs8.exposedBytes
    let signature = try key.sign([0x01], .deterministic)

    // 04 20 and the seed, then 04 82, two bytes of length and the expanded key.
    let place = try #require(both.indices.first { both[$0...].starts(with: [0x04, 0x20] + seed) })
    let expanded = both[(place + 34)...]
    let identifier = both[7..<20]
    for form in [[0x80, 0x20] + seed, Array(expanded)] {
      var info = DERWriter()
      info.writeSequence { (info) in
        info.writeInteger(0)
        info.write(encoded: identifier)
        info.writeOctetString(form)
      }
      let read = try SigningKey(algorithm, pkcs8: SecretBytes(info.bytes))
      #expect(read.publicKey == key.publicKey)
      #expect(try read.sign([0x01], .deterministic) == signature)
      #expect(try SigningKey(algorithm, pkcs8: read.pkcs8).publicKey == key.publicKey)
    }

    var contradiction = both
    contradiction[place + 2] ^= 0x01
    #expect(throws: PasskeyCryptoError.self) { try SigningKey(algorithm, pkcs8: SecretBytes(contradiction)) }
    for bytes in [[], [0x30], both.dropLast(), both.dropFirst(), both[...] + [0x00]] as [Bytes] {
      #expect {
        try SigningKey(algorithm, pkcs8: SecretBytes(bytes))
      } throws: { (error) in
        (error as? PasskeyCryptoError)?.code == .malformedKey
      }
    }
  }

  @Test func `reads PKCS#8 only for its own parameter set`() throws {
    let key = try SigningKey(.mlDSA44, privateKey: SecretBytes([UInt8](0x00...0x1f))).pkcs8
    #expect(throws: PasskeyCryptoError(.keyMismatch, "the key type does not match ML-DSA-65")) {
      try SigningKey(.mlDSA65, pkcs8: key)
    }
    let other = try SigningKey(.eddsa, privateKey: SecretBytes([UInt8](0x00...0x1f))).pkcs8
    #expect {
      try SigningKey(.mlDSA65, pkcs8: other)
    } throws: { (error) in
      (error as? PasskeyCryptoError)?.code == .keyMismatch
    }
  }
}
