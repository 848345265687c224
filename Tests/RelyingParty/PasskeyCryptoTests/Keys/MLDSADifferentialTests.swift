// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyFormats
import PasskeyMLDSA
import PasskeyTestSupport
import Testing

@testable import PasskeyCrypto

/// libcrypto's ML-DSA against the built-in implementation. `Scripts/interop mldsa` runs these tests under a libcrypto that has it;
/// they pass without a comparison under any other.
@Suite struct MLDSADifferentialTests {
  @Test(arguments: [COSEAlgorithm.mlDSA44, .mlDSA65, .mlDSA87])
  func `both implementations make the same keys and signatures`(algorithm: COSEAlgorithm) throws {
    guard MLDSAImplementation.current == .libcrypto else { return }
    let type = try #require(RawKeyType(algorithm))
    let parameters = try #require(type.mlDSAParameters)
    try PropertyRuns.check(default: 20) { (generator) in
      let seed = SecretBytes(generator.bytes(32))
      let theirs = try SigningKey(algorithm, privateKey: seed)
      let ours = try BuiltInMLDSAKey(parameters, seed: seed)
      #expect(theirs.publicKey.material == .akp(publicKey: ours.publicKey[...]))
      #expect(try theirs.pkcs8 == ours.pkcs8(type))
      let message = generator.bytes(Int.random(in: 0...300, using: &generator))[...]
      #expect(try theirs.sign(message, .deterministic) == ours.sign(message, .deterministic))

      let key = try BuiltInMLDSAPublicKey(parameters, ours.publicKey[...])
      try key.verify(theirs.sign(message)[...], over: message)
      try theirs.publicKey.verify(ours.sign(message, .randomized)[...], over: message)
    }
  }

  @Test(arguments: [COSEAlgorithm.mlDSA44, .mlDSA65, .mlDSA87])
  func `both implementations judge corrupted keys and signatures alike`(algorithm: COSEAlgorithm) throws {
    guard MLDSAImplementation.current == .libcrypto else { return }
    let parameters = try #require(RawKeyType(algorithm)?.mlDSAParameters)
    let key = try BuiltInMLDSAKey(parameters, seed: SecretBytes([UInt8](0x00...0x1f)))
    let signature = try key.sign([0x01], .deterministic)
    try PropertyRuns.check(default: 200) { (generator) in
      let isKey = Int.random(in: 0..<8, using: &generator) == 0
      let publicKey = isKey ? Mutation.mutated(key.publicKey, using: &generator) : key.publicKey
      let corrupted = isKey ? signature : Mutation.mutated(signature, using: &generator)
      guard publicKey.count == key.publicKey.count else { return }
      let theirs = try VerifyingKey(COSEKey(algorithm: algorithm, material: .akp(publicKey: publicKey[...])))
      let ours = try BuiltInMLDSAPublicKey(parameters, publicKey[...])
      let verdicts = [
        Result { () throws(PasskeyCryptoError) in try theirs.verify(corrupted[...], over: [0x01]) },
        Result { () throws(PasskeyCryptoError) in try ours.verify(corrupted[...], over: [0x01]) },
      ].map { (verdict) in (try? verdict.get()) != nil }
      #expect(verdicts[0] == verdicts[1])
    }
  }
}
