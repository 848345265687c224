// SPDX-License-Identifier: Apache-2.0

/// A private key. Threads may share it. Its secrets are overwritten when the last reference is released.
package final class PrivateKey: @unchecked Sendable {  // Written only by `init` and `deinit`.
  let parameters: ParameterSet
  /// The public key, encoded.
  package let publicKey: [UInt8]
  /// The hash of the public key.
  let tr: [UInt8]
  /// The matrix A, row by row.
  let matrix: [Polynomial]
  /// The seed K of masks.
  private(set) var key: [UInt8]
  /// The transforms of s1, s2 and t0.
  private(set) var s1: [Polynomial]
  private(set) var s2: [Polynomial]
  private(set) var t0: [Polynomial]
  private var encoding: [UInt8]

  /// ML-DSA.KeyGen_internal: derives the key of a seed ξ (FIPS 204, algorithm 6).
  ///
  /// - Throws: ``MLDSAError/invalidKey`` if the seed does not have 32 bytes.
  package convenience init(_ parameters: ParameterSet, seed: Span<UInt8>) throws(MLDSAError) {
    guard seed.count == ParameterSet.seedByteCount else { throw .invalidKey }
    var hash = SHAKE.h()
    hash.absorb(seed)
    hash.absorb(UInt8(truncatingIfNeeded: parameters.k))
    hash.absorb(UInt8(truncatingIfNeeded: parameters.l))
    hash.finish()
    let rho = hash.squeeze(32)
    var rhoPrime = hash.squeeze(64)
    var parts = PrivateKeyParts(
      rho: rho, key: hash.squeeze(32),
      s1: (0..<parameters.l).map { (r) in parameters.rejBoundedPoly(rhoPrime, r) },
      s2: (0..<parameters.k).map { (r) in parameters.rejBoundedPoly(rhoPrime, parameters.l + r) })
    defer {
      hash.wipe()
      rhoPrime.wipe()
      parts.wipe()
    }
    self.init(parameters, parts)
  }

  /// Decodes an expanded private key.
  ///
  /// - Throws: ``MLDSAError/invalidKey`` if the length is wrong, or if t0 or the hash of the public key contradicts the rest.
  package convenience init(_ parameters: ParameterSet, expanded sk: Span<UInt8>) throws(MLDSAError) {
    guard var parts = parameters.skDecode(sk) else { throw .invalidKey }
    defer { parts.wipe() }
    self.init(parameters, parts)
    var difference: UInt8 = 0
    for i in encoding.indices { difference |= encoding[i] ^ sk[i] }
    guard difference == 0 else { throw .invalidKey }
  }

  /// Computes t = A·s1 + s2 and everything that depends on it.
  private init(_ parameters: ParameterSet, _ parts: PrivateKeyParts) {
    self.parameters = parameters
    key = parts.key.map { (byte) in byte }  // A copy with storage of its own, so that each can be wiped.
    matrix = parameters.expandA(parts.rho)
    s1 = parts.s1
    s2 = parts.s2
    for i in s1.indices { s1[i].ntt() }
    var t1 = parameters.product(matrix, s1)
    t0 = [Polynomial](zeros: parameters.k)
    for row in 0..<parameters.k {
      t1[row].inverseNTT()
      t1[row].add(parts.s2[row])
      for i in 0..<Polynomial.count {
        let t = t1[row].coefficients[i].reduced.canonical
        (t1[row].coefficients[i], t0[row].coefficients[i]) = power2Round(t)
      }
    }
    let publicKey = parameters.pkEncode(rho: parts.rho, t1: t1)
    self.publicKey = publicKey
    tr = parameters.hashOfPublicKey(publicKey.span)
    encoding = parameters.skEncode(parts, tr: tr, t0: t0)
    for i in s2.indices { s2[i].ntt() }
    for i in t0.indices { t0[i].ntt() }
  }

  deinit {
    key.wipe()
    s1.wipe()
    s2.wipe()
    t0.wipe()
    encoding.wipe()
  }

  /// Lends the expanded private key to `body`, which must wipe its copies (FIPS 204, algorithm 24).
  package func withExpandedKey<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    let encoding = encoding
    return body(encoding.span)
  }
}

extension ParameterSet {
  /// ExpandA: derives the matrix, row by row (FIPS 204, algorithm 32).
  func expandA(_ rho: [UInt8]) -> [Polynomial] {
    (0..<k * l).map { (entry) in Polynomial(expandA: rho, row: entry / l, column: entry % l) }
  }

  /// MatrixVectorNTT: multiplies the matrix by a vector, both transformed (FIPS 204, algorithm 48).
  func product(_ matrix: [Polynomial], _ vector: [Polynomial]) -> [Polynomial] {
    var product = [Polynomial](zeros: k)
    for row in 0..<k {
      for column in 0..<l { product[row].accumulate(matrix[row * l + column], times: vector[column]) }
    }
    return product
  }
}
