// SPDX-License-Identifier: Apache-2.0

import COSE
import SystemCrypto
import TestSupport
import Testing
import WireFormats

@Suite(.enabled(if: SharedVectors.arePresent, "\(SharedVectors.absence)"))
struct W3CVectorTests {
  @Test func `a seeded source reproduces the standard's draws`() throws {
    let seed = Array("WebAuthn test vectors".utf8)[...]
    var drawn = 0
    for (name, vector) in try W3CKeys().vectors {
      let source = RandomSource.seeded(seed, label: name)
      for draw in vector.draws {
        #expect(try source.bytes(draw.bytes.count) == draw.bytes, "\(name) \(draw.name)")
        drawn += 1
      }
    }
    #expect(drawn > 150)
  }

  @Test func `generates the standard's keys from its draws`() throws {
    let vectors = try W3CKeys().vectors
    for (name, algorithm) in [
      ("none.ES256", COSEAlgorithm.es256), ("packed.ES384", .es384), ("packed.ES512", .es512),
      ("packed.EdDSA", .eddsa), ("packed.Ed448", .ed448),
    ] {
      let source = RandomSource.seeded(Array("WebAuthn test vectors".utf8), label: name)
      _ = try source.bytes(32)  // the challenge
      let key = try SigningKey.generate(algorithm, random: source)
      #expect(key.publicKey == (try privateKey(vectors[name], algorithm)).publicKey, "\(name)")
    }
  }

  @Test func `reproduces the standard's signatures bit for bit`() throws {
    let vectors = try W3CKeys().vectors
    let assertions = try W3CAssertion.all()
    #expect(assertions.count == 16)
    for assertion in assertions {
      let algorithm = algorithms[assertion.name] ?? .es256
      let key = try privateKey(vectors[assertion.name], algorithm)
      let authenticatorData = try #require(W3CAssertion.bytes(assertion.response.response.authenticatorData))
      let clientData = try #require(W3CAssertion.bytes(assertion.response.response.clientDataJSON))
      let signature = try #require(W3CAssertion.bytes(assertion.response.response.signature))
      let message = (authenticatorData + Digest.sha256(clientData))[...]
      #expect(try key.sign(message, .deterministic) == signature, "\(assertion.id)")
      try key.publicKey.verify(signature, over: message)
      try VerifyingKey(key.publicKey).verify(signature, over: message)
    }
  }

  private let algorithms: [String: COSEAlgorithm] = [
    "packed.ES384": .es384, "packed.ES512": .es512, "packed.RS256": .rs256, "packed.EdDSA": .eddsa,
    "packed.Ed448": .ed448,
  ]

  private func privateKey(_ vector: W3CKeys.Vector?, _ algorithm: COSEAlgorithm) throws -> SigningKey {
    let values = try #require(vector?.registration)
    if let p = values["private_key_p"], let q = values["private_key_q"] {
      return try SigningKey(algorithm, primes: SecretBytes(hex(p)), SecretBytes(hex(q)))
    }
    let value = try #require(values["credential_private_key"] ?? values["private_key"])
    return try SigningKey(algorithm, privateKey: SecretBytes(hex(value)))
  }
}
