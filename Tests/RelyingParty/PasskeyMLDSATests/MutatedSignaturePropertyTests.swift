// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

@testable import PasskeyMLDSA

/// Corrupted signatures and keys. None may verify, and none may stop the process.
@Suite struct MutatedSignaturePropertyTests {
  @Test(arguments: ParameterSet.all)
  func `no corrupted signature verifies`(named: ParameterSet.Named) throws {
    let key = try PrivateKey(named.parameters, seed: [UInt8](32..<64))
    let publicKey = try PublicKey(named.parameters, key.publicKey)
    let signatures = try (0..<4).map { (number) in try key.sign([number]) }
    try PropertyRuns.check(default: Self.runs) { (generator) in
      let message = UInt8.random(in: 0..<4, using: &generator)
      let signature = signatures[Int(message)]
      let corrupted =
        Bool.random(using: &generator)
        ? Mutation.mutated(signature, using: &generator)
        : flippedBits(signature, using: &generator)
      guard corrupted != signature else { return }
      #expect(publicKey.refusal(of: corrupted, over: [message]) == .invalidSignature)
    }
  }

  @Test(arguments: ParameterSet.all)
  func `a corrupted public key verifies nothing`(named: ParameterSet.Named) throws {
    let key = try PrivateKey(named.parameters, seed: [UInt8](32..<64))
    let signature = try key.sign([])
    try PropertyRuns.check(default: Self.runs / 10) { (generator) in
      let corrupted = try PublicKey(named.parameters, flippedBits(key.publicKey, using: &generator))
      #expect(corrupted.refusal(of: signature, over: []) == .invalidSignature)
    }
  }

  @Test(arguments: ParameterSet.all)
  func `random signatures are rejected`(named: ParameterSet.Named) throws {
    let key = try PrivateKey(named.parameters, seed: [UInt8](32..<64))
    let publicKey = try PublicKey(named.parameters, key.publicKey)
    try PropertyRuns.check(default: Self.runs / 10) { (generator) in
      let random = generator.bytes(named.parameters.signatureByteCount)
      #expect(publicKey.refusal(of: random, over: []) == .invalidSignature)
    }
  }

  /// 33,350 corrupted signatures for each parameter set in the night tier.
  private static let runs = 667

  /// Flips one to three bits, so that the length stays.
  private func flippedBits(_ bytes: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
    var flipped = bytes
    let places = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
      Int.random(in: 0..<8 * bytes.count, using: &generator)
    }
    for place in Set(places) { flipped[place / 8] ^= 1 << UInt8(place % 8) }
    return flipped
  }
}
