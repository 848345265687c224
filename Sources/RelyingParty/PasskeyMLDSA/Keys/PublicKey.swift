// SPDX-License-Identifier: Apache-2.0

/// A decoded public key, which verifies any number of signatures. Threads may share it.
package struct PublicKey: Sendable {
  private let parameters: ParameterSet
  private let rho: [UInt8]
  /// The hash of the key.
  private let tr: [UInt8]
  /// The transform of t1·2ᵈ.
  private let scaledT1: [Polynomial]

  /// Decodes a public key. Every byte string of the right length is one.
  ///
  /// - Throws: ``MLDSAError/invalidKey`` for another length.
  package init(_ parameters: ParameterSet, _ encoding: Span<UInt8>) throws(MLDSAError) {
    guard encoding.count == parameters.publicKeyByteCount else { throw .invalidKey }
    self.parameters = parameters
    var t1: [Polynomial]
    (rho, t1) = parameters.pkDecode(encoding)
    for i in t1.indices {
      t1[i].map { (coefficient) in coefficient &<< Int32(ParameterSet.d) }
      t1[i].ntt()
    }
    scaledT1 = t1
    tr = parameters.hashOfPublicKey(encoding)
  }

  /// ML-DSA.Verify: verifies a signature of a message and a context (FIPS 204, algorithm 3).
  ///
  /// - Throws: ``MLDSAError/invalidSignature``, or ``MLDSAError/invalidParameter`` for a context of more than 255 bytes.
  package func verify(
    _ signature: Span<UInt8>, over message: Span<UInt8>, context: Span<UInt8>
  ) throws(MLDSAError) {
    try verify(signature, representative: MessageRepresentative(tr: tr, message, context: context).bytes)
  }

  /// ML-DSA.Verify_internal: verifies a signature of a message representative μ (FIPS 204, algorithm 8).
  ///
  /// - Throws: ``MLDSAError/invalidSignature``.
  func verify(_ signature: Span<UInt8>, representative mu: [UInt8]) throws(MLDSAError) {
    guard var signature = parameters.sigDecode(signature),
      signature.z.hasNorm(below: parameters.gamma1 &- parameters.beta)
    else { throw .invalidSignature }
    for i in signature.z.indices { signature.z[i].ntt() }
    var c = parameters.sampleInBall(signature.challenge)
    c.ntt()
    var hash = SHAKE.h()
    hash.absorb(mu.span)
    for row in 0..<parameters.k {
      var w1 = commitment(row, z: signature.z, c: c)
      w1.useHint(signature.h[row], parameters.gamma2)
      var encoding: [UInt8] = []
      encoding.w1Encode(w1, parameters)
      hash.absorb(encoding.span)
    }
    hash.finish()
    guard hash.squeeze(parameters.challengeByteCount) == signature.challenge else { throw .invalidSignature }
  }

  /// Returns one polynomial of w′ = A·z − c·t1·2ᵈ. The matrix is derived entry by entry and never stored.
  private func commitment(_ row: Int, z: [Polynomial], c: Polynomial) -> Polynomial {
    var sum = Polynomial()
    sum.accumulate(c, times: scaledT1[row])
    sum.map { (coefficient) in 0 &- coefficient }
    for column in 0..<parameters.l {
      sum.accumulate(Polynomial(expandA: rho, row: row, column: column), times: z[column])
    }
    sum.inverseNTT()
    return sum
  }
}

extension ParameterSet {
  /// Returns tr, the hash of a public key.
  func hashOfPublicKey(_ encoding: Span<UInt8>) -> [UInt8] {
    var hash = SHAKE.h()
    hash.absorb(encoding)
    hash.finish()
    return hash.squeeze(64)
  }
}
