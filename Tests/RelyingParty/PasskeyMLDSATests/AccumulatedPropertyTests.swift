// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

@testable import PasskeyMLDSA

/// Keys and deterministic signatures of many seeds, hashed into one value. SHAKE128 of the empty string gives the seeds, and
/// SHAKE128 of all public keys and signatures, of an empty message, the value.
///
/// The values of 100 and 10,000 seeds are those of C2SP's collection of test vectors. Those of two seeds are ours.
@Suite struct AccumulatedPropertyTests {
  struct Expected: Sendable, CustomStringConvertible {
    let named: ParameterSet.Named
    let count: Int
    let digest: String

    init(_ parameters: Int, _ count: Int, _ digest: String) {
      named = ParameterSet.all[parameters]
      self.count = count
      self.digest = digest
    }

    var description: String { "\(named), \(count) seeds" }
  }

  private static let few = [
    Expected(0, 2, "df66ea1764ae2ecaf0921de60e284f99405d021e2ab93c182f6e9dedead73382"),
    Expected(1, 2, "38bb25879b0f0200d71d86504694af9b1e483f8735f44021b63ac379106815b2"),
    Expected(2, 2, "84f1bfa722b298e14b263708ec2db52a96c0ebc741cde8fe3ab3b8217fc5c752"),
  ]

  private static let many = [
    Expected(0, 100, "d51148e1f9f4fa1a723a6cf42e25f2a99eb5c1b378b3d2dbbd561b1203beeae4"),
    Expected(1, 100, "8358a1843220194417cadbc2651295cd8fc65125b5a5c1a239a16dc8b57ca199"),
    Expected(2, 100, "8c3ad714777622b8f21ce31bb35f71394f23bc0fcf3c78ace5d608990f3b061b"),
    Expected(0, 10_000, "e7fd21f6a59bcba60d65adc44404bb29a7c00e5d8d3ec06a732c00a306a7d143"),
    Expected(1, 10_000, "5ff5e196f0b830c3b10a9eb5358e7c98a3a20136cb677f3ae3b90175c3ace329"),
    Expected(2, 10_000, "80a8cf39317f7d0be0e24972c51ac152bd2a3e09bc0c32ce29dd82c4e7385e60"),
  ]

  /// The night tier, with optimized code, has time for many.
  private static let isLong = PropertyRuns.count() > PropertyRuns.defaultCount

  @Test(arguments: isLong ? few + many : few)
  func `keys and signatures are those of the standard`(expected: Expected) throws {
    let parameters = expected.named.parameters
    var (seeds, all) = (SHAKE.g(), SHAKE.g())
    seeds.finish()
    for _ in 0..<expected.count {
      let key = try PrivateKey(parameters, seed: seeds.squeeze(32))
      let signature = try key.sign([])
      let publicKey = key.publicKey
      try PublicKey(parameters, publicKey).verify(signature, over: [])
      all.absorb(publicKey.span)
      all.absorb(signature.span)
    }
    all.finish()
    #expect(all.squeeze(32) == hex(expected.digest))
  }
}
