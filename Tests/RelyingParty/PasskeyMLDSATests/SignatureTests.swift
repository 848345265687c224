// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

@testable import PasskeyMLDSA

@Suite struct SignatureTests {
  private static let seed = [UInt8](0..<32)

  @Test(arguments: ParameterSet.all)
  func `a signature verifies only with its key, message and context`(named: ParameterSet.Named) throws {
    let parameters = named.parameters
    let key = try PrivateKey(parameters, seed: Self.seed)
    let publicKey = try PublicKey(parameters, key.publicKey)
    let other = try PublicKey(parameters, PrivateKey(parameters, seed: Self.seed.reversed()).publicKey)
    let context = [UInt8](repeating: 0x63, count: 255)
    for context in [[], [0x00], context] {
      let signature = try key.sign([0x01, 0x02], context: context)
      #expect(signature.count == parameters.signatureByteCount)
      try publicKey.verify(signature, over: [0x01, 0x02], context: context)
      #expect(publicKey.refusal(of: signature, over: [0x01], context: context) == .invalidSignature)
      #expect(publicKey.refusal(of: signature, over: [0x01, 0x02], context: [0x63]) == .invalidSignature)
      #expect(other.refusal(of: signature, over: [0x01, 0x02], context: context) == .invalidSignature)
    }
  }

  @Test(arguments: ParameterSet.all)
  func `a context has at most 255 bytes`(named: ParameterSet.Named) throws {
    let key = try PrivateKey(named.parameters, seed: Self.seed)
    let long = [UInt8](repeating: 0, count: 256)
    #expect(throws: MLDSAError.invalidParameter) { try key.sign([], context: long) }
    let publicKey = try PublicKey(named.parameters, key.publicKey)
    let signature = try key.sign([])
    #expect(publicKey.refusal(of: signature, over: [], context: long) == .invalidParameter)
  }

  @Test(arguments: ParameterSet.all)
  func `randomness changes a signature, and its absence repeats it`(named: ParameterSet.Named) throws {
    let key = try PrivateKey(named.parameters, seed: Self.seed)
    let publicKey = try PublicKey(named.parameters, key.publicKey)
    let deterministic = try key.sign([0x01])
    #expect(try key.sign([0x01]) == deterministic)
    let hedged = try key.sign([0x01], randomness: [UInt8](repeating: 1, count: 32))
    #expect(hedged != deterministic)
    try publicKey.verify(hedged, over: [0x01])
    for count in [0, 31, 33] {
      #expect(throws: MLDSAError.invalidParameter) {
        try key.sign([0x01], randomness: [UInt8](repeating: 0, count: count))
      }
    }
  }

  @Test(arguments: ParameterSet.all)
  func `keys and signatures of other lengths are rejected`(named: ParameterSet.Named) throws {
    let parameters = named.parameters
    let key = try PrivateKey(parameters, seed: Self.seed)
    let publicKey = try PublicKey(parameters, key.publicKey)
    let signature = try key.sign([])
    for count in [0, 1, 32, signature.count - 1] {
      #expect(publicKey.refusal(of: Array(signature.prefix(count)), over: []) == .invalidSignature)
    }
    #expect(publicKey.refusal(of: signature + [0], over: []) == .invalidSignature)
    for count in [0, 1, 32, key.publicKey.count - 1] {
      #expect(throws: MLDSAError.invalidKey) { try PublicKey(parameters, Array(key.publicKey.prefix(count))) }
    }
    #expect(throws: MLDSAError.invalidKey) { try PublicKey(parameters, key.publicKey + [0]) }
    for count in [0, 31, 33] {
      #expect(throws: MLDSAError.invalidKey) { try PrivateKey(parameters, seed: [UInt8](repeating: 0, count: count)) }
    }
  }

  @Test(arguments: ParameterSet.all)
  func `an expanded private key signs like its seed`(named: ParameterSet.Named) throws {
    let parameters = named.parameters
    let key = try PrivateKey(parameters, seed: Self.seed)
    #expect(key.expanded.count == parameters.privateKeyByteCount)
    let again = try PrivateKey(parameters, expanded: key.expanded)
    #expect(again.publicKey == key.publicKey)
    #expect(try again.sign([0x01]) == key.sign([0x01]))
  }

  @Test(arguments: ParameterSet.all)
  func `an expanded private key that contradicts itself is rejected`(named: ParameterSet.Named) throws {
    let parameters = named.parameters
    let expanded = try PrivateKey(parameters, seed: Self.seed).expanded
    // ρ, the hash of the public key, s1, s2 and t0. K contradicts nothing.
    let s2 = 128 + parameters.l * Polynomial.byteCount(bits: parameters.etaBits)
    for place in [0, 64, 128, s2, expanded.count - 1] {
      var changed = expanded
      changed[place] ^= 0x01
      #expect(throws: MLDSAError.invalidKey) { try PrivateKey(parameters, expanded: changed) }
    }
    // A coefficient beyond η.
    var changed = expanded
    changed[128] = 0xff
    #expect(throws: MLDSAError.invalidKey) { try PrivateKey(parameters, expanded: changed) }
    for count in [0, 32, expanded.count - 1] {
      #expect(throws: MLDSAError.invalidKey) { try PrivateKey(parameters, expanded: Array(expanded.prefix(count))) }
    }
  }

  @Test(arguments: ParameterSet.all)
  func `a response as large as its bound is rejected`(named: ParameterSet.Named) throws {
    let parameters = named.parameters
    let key = try PrivateKey(parameters, seed: Self.seed)
    let publicKey = try PublicKey(parameters, key.publicKey)
    var signature = try #require(parameters.sigDecode(key.sign([])))
    signature.z[0].coefficients[0] = parameters.gamma1 - parameters.beta
    #expect(publicKey.refusal(of: parameters.sigEncode(signature), over: []) == .invalidSignature)
    #expect(!signature.z.hasNorm(below: parameters.gamma1 - parameters.beta))
  }

  @Test(.enabled(if: AllocationCounter.isCounting, "\(AllocationCounter.absence)"), arguments: ParameterSet.all)
  func `verification allocates little memory, whatever the message`(named: ParameterSet.Named) throws {
    let key = try PrivateKey(named.parameters, seed: Self.seed)
    let publicKey = try PublicKey(named.parameters, key.publicKey)
    let signature = try key.sign([0x01])
    for message in [[0x01], [UInt8](repeating: 0x01, count: 1 << 16)] {
      #expect(AllocationCounter.bytes { publicKey.refusal(of: signature, over: message) } < 32 << 10)
    }
  }
}
