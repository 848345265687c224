// SPDX-License-Identifier: Apache-2.0

import CodecProperties
import PasskeyTestSupport
import Testing

/// Runs the fuzzers' properties on their seeds and on mutations of the seeds.
@Suite struct CodecPropertyTests {
  private static func seeds(of codec: Codec) throws -> [[UInt8]] {
    let folder = "\(projectFolder)/Vectors/corpus/\(codec.rawValue)"
    return try File.names(in: folder).map { try File.bytes("\(folder)/\($0)") }
  }

  /// Fewer runs for codecs that sign each input, check private keys, verify ML-DSA or send thousands of bytes packet by packet.
  private static func defaultCount(of codec: Codec) -> Int {
    switch codec {
    case .mlDSA, .metadata, .ctap, .credentialExchange: 500
    case .registrationCeremony, .authenticationCeremony, .ctaphid, .vault: 5_000
    default: PropertyRuns.defaultCount
    }
  }

  @Test(arguments: Codec.allCases)
  func `the property holds for every seed`(codec: Codec) throws {
    let seeds = try Self.seeds(of: codec)
    #expect(seeds.count >= 5)
    for seed in seeds { try codec.check(seed) }
  }

  @Test(arguments: Codec.allCases)
  func `the property holds for mutated seeds`(codec: Codec) throws {
    let seeds = try Self.seeds(of: codec)
    let count = Self.defaultCount(of: codec)
    try PropertyRuns.check(default: Tier.current == .change ? count / 4 : count) { generator in
      let seed = try #require(seeds.randomElement(using: &generator))
      let other = try #require(seeds.randomElement(using: &generator))
      let crossed =
        Int.random(in: 0..<8, using: &generator) == 0 ? Mutation.crossed(seed, other, using: &generator) : seed
      try codec.check(Mutation.mutated(crossed, using: &generator))
    }
  }
}
