// SPDX-License-Identifier: Apache-2.0

extension PrivateKey {
  /// ML-DSA.Sign: signs a message and a context (FIPS 204, algorithm 2).
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - context: At most 255 bytes.
  ///   - randomness: 32 random bytes for a hedged signature, or 32 zero bytes for the deterministic one.
  /// - Returns: The signature.
  /// - Throws: ``MLDSAError/invalidParameter`` for another length, or ``MLDSAError/attemptsExhausted``.
  package func sign(
    _ message: Span<UInt8>, context: Span<UInt8>, randomness: Span<UInt8>
  ) throws(MLDSAError) -> [UInt8] {
    try sign(representative: MessageRepresentative(tr: tr, message, context: context).bytes, randomness: randomness)
  }

  /// ML-DSA.Sign_internal: signs a message representative μ (FIPS 204, algorithm 7).
  ///
  /// The number of attempts is independent of the key. Within one attempt the time depends only on the challenge and on the
  /// signature.
  func sign(representative mu: [UInt8], randomness: Span<UInt8>) throws(MLDSAError) -> [UInt8] {
    guard randomness.count == ParameterSet.randomnessByteCount else { throw .invalidParameter }
    var attempt = SigningAttempt(self, maskSeed: maskSeed(mu, randomness))
    defer { attempt.wipe() }
    // FIPS 204, appendix C: a limit of at least 814 attempts.
    for number in 0..<1_000 {
      if let signature = attempt.sign(mu, mask: number * parameters.l) { return parameters.sigEncode(signature) }
    }
    throw .attemptsExhausted
  }

  /// Returns ρ″ = H(K ‖ rnd ‖ μ).
  private func maskSeed(_ mu: [UInt8], _ randomness: Span<UInt8>) -> [UInt8] {
    var hash = SHAKE.h()
    defer { hash.wipe() }
    let key = key
    hash.absorb(key.span)
    hash.absorb(randomness)
    hash.absorb(mu.span)
    hash.finish()
    return hash.squeeze(64)
  }
}

/// The loop body of ML-DSA.Sign_internal (FIPS 204, algorithm 7), with the memory of its secrets.
private struct SigningAttempt {
  private let signer: PrivateKey
  private let parameters: ParameterSet
  private var maskSeed: [UInt8]
  /// The mask y, then the response z.
  private var z: [Polynomial]
  /// The transform of the mask.
  private var mask: [Polynomial]
  /// The commitment w, then w − c·s2, then the hint.
  private var w: [Polynomial]
  private var product = Polynomial()

  init(_ signer: PrivateKey, maskSeed: [UInt8]) {
    self.signer = signer
    self.maskSeed = maskSeed
    parameters = signer.parameters
    z = [Polynomial](zeros: parameters.l)
    mask = [Polynomial](zeros: parameters.l)
    w = [Polynomial](zeros: parameters.k)
  }

  /// Returns a signature, or `nil` if this mask would reveal something about the key.
  mutating func sign(_ mu: [UInt8], mask number: Int) -> Signature? {
    let challenge = commit(mu, number)
    var c = parameters.sampleInBall(challenge)
    c.ntt()

    for i in z.indices {
      multiply(c, signer.s1[i])
      z[i].add(product)
      z[i].map { (coefficient) in coefficient.reduced.centered }
    }
    guard z.hasNorm(below: parameters.gamma1 &- parameters.beta) else { return nil }

    var lowBits: Int32 = 0
    for i in w.indices {
      multiply(c, signer.s2[i])
      w[i].subtract(product)
      w[i].map(\.reduced.canonical)
      product = w[i]
      product.map(parameters.gamma2.lowBits)
      lowBits |= product.slack(below: parameters.gamma2.rawValue &- parameters.beta)
    }
    guard lowBits >= 0 else { return nil }
    return makeHint(c).map { (h) in Signature(challenge: challenge, z: z, h: h) }
  }

  /// Draws a mask and returns the hash of its commitment.
  private mutating func commit(_ mu: [UInt8], _ number: Int) -> [UInt8] {
    for i in z.indices {
      z[i] = parameters.expandMask(maskSeed, number + i)
      mask[i] = z[i]
      mask[i].ntt()
    }
    w = parameters.product(signer.matrix, mask)
    var hash = SHAKE.h()
    hash.absorb(mu.span)
    for i in w.indices {
      w[i].inverseNTT()
      w[i].map(\.canonical)
      product = w[i]
      product.map(parameters.gamma2.highBits)
      var encoding: [UInt8] = []
      encoding.w1Encode(product, parameters)
      hash.absorb(encoding.span)
    }
    hash.finish()
    return hash.squeeze(parameters.challengeByteCount)
  }

  /// Returns the hint that lets the verifier compute the commitment without t0; `nil` if it would have too many ones.
  private mutating func makeHint(_ c: Polynomial) -> [Polynomial]? {
    var slack: Int32 = 0
    var ones: Int32 = 0
    for i in w.indices {
      multiply(c, signer.t0[i])
      product.map(\.centered)
      slack |= product.slack(below: parameters.gamma2.rawValue)
      ones &+= w[i].makeHint(adding: product, parameters.gamma2)
    }
    return slack >= 0 && ones <= Int32(parameters.omega) ? w : nil
  }

  /// Sets `product` to the product of two transforms, transformed back.
  private mutating func multiply(_ left: Polynomial, _ right: Polynomial) {
    product = Polynomial()
    product.accumulate(left, times: right)
    product.inverseNTT()
  }

  /// Overwrites the secrets.
  mutating func wipe() {
    maskSeed.wipe()
    z.wipe()
    mask.wipe()
    w.wipe()
    product.coefficients.wipe()
  }
}
