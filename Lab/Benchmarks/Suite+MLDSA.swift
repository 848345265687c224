// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyMLDSA

extension Suite {
  /// The built-in ML-DSA, against libcrypto's where it has one (3.5), otherwise against ES256.
  static func builtInMLDSA() throws -> [Benchmark] {
    let sets: [(String, COSEAlgorithm, ParameterSet)] = [
      ("ml-dsa-44", .mlDSA44, .mlDSA44), ("ml-dsa-65", .mlDSA65, .mlDSA65), ("ml-dsa-87", .mlDSA87, .mlDSA87),
    ]
    let isComparable = MLDSAImplementation.current == .libcrypto
    return try sets.flatMap { (name, algorithm, parameters) in
      let fixture = try SignatureFixture(algorithm)
      let raw = isComparable ? "raw.\(name).verify" : Benchmark.yardstick
      return [
        Benchmark("\(name).built-in.verify", against: raw, goal: isComparable ? .ratio(atMost: 4) : nil) {
          guard case .akp(let encoding) = fixture.key.material else { throw RawVerification.Refused() }
          let key = try PublicKey(parameters, encoding.span)
          let context: [UInt8] = []
          return { try key.verify(fixture.signature.span, over: fixture.message.span, context: context.span) }
        },
        Benchmark("\(name).built-in.sign", against: raw) {
          let seed = [UInt8](0..<32)
          let key = try PrivateKey(parameters, seed: seed.span)
          let context: [UInt8] = []
          return {
            let randomness = try RandomSource.system.bytes(ParameterSet.randomnessByteCount)
            keep(try key.sign(fixture.message.span, context: context.span, randomness: randomness.span))
          }
        },
      ]
    }
  }
}
