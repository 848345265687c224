// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnTypes

/// Public keys without a user, so that a refused sign-in takes the same signature verifications whether or not its
/// credential is known, and whatever its algorithm.
///
/// The client chooses the signature. A signature that no key of an algorithm could make is refused early, and an attacker
/// could otherwise see which algorithm the stored key has. So every refusal verifies the signature once for each kind of key
/// that the relying party offers: a known credential with its own key and the dummies of the other kinds, an unknown one with
/// the dummies of all kinds. A stored key of a kind that is no longer offered makes one verification more.
struct DummyKeys: Sendable {
  /// The keys whose verifications cost the same.
  private enum Kind: Hashable {
    case curve(COSECurve)
    case rsa
    case other(COSEAlgorithm)

    init(_ algorithm: COSEAlgorithm) {
      let definition = algorithm.definition
      self =
        if let curve = definition?.curve { .curve(curve) } else if definition?.keyType == .rsa { .rsa } else {
          .other(algorithm)
        }
    }
  }

  /// One algorithm of each offered kind, the preferred first.
  private let algorithms: [COSEAlgorithm]
  private let keys: [COSEAlgorithm: COSEKey]
  /// The key from which RSA moduli are derived.
  private let seed: SecretBytes

  init(_ offered: [COSEAlgorithm], seed: SecretBytes) {
    var kinds: Set<Kind> = []
    algorithms = offered.filter { (algorithm) in kinds.insert(Kind(algorithm)).inserted }
    keys = algorithms.reduce(into: [:]) { (keys, algorithm) in keys[algorithm] = Self.generated(algorithm) }
    self.seed = seed
  }

  /// Returns the key of an algorithm, which is generated once; nil for RSA.
  private static func generated(_ algorithm: COSEAlgorithm) -> COSEKey? {
    guard Kind(algorithm) != .rsa else { return nil }
    return all.withLock { (all) in
      if let key = all[algorithm] { return key }
      let key = try? SigningKey.generate(algorithm, random: .system).publicKey
      all[algorithm] = key
      return key
    }
  }

  private static let all = Locked<[COSEAlgorithm: COSEKey]>([:])

  /// Returns the key with which an unknown credential is verified by the steps of the standard, encoded.
  func first(for response: AuthenticationResponse) -> [UInt8] {
    algorithms.first.flatMap { (algorithm) in key(algorithm, for: response) }?.encoded ?? []
  }

  /// Verifies the signature with the dummies of all kinds except one: that of the known credential's key, or the first for an
  /// unknown credential. The results do not matter.
  func verifyOthers(than known: Bytes?, _ response: AuthenticationResponse) {
    let hash = Digest.sha256(response.clientDataJSON)[...]
    for algorithm in others(than: known.flatMap { (bytes) in try? COSEKey(parsing: bytes) }, response) {
      try? key(algorithm, for: response)?.verify(
        response.signature, over: response.authenticatorData, followedBy: hash)
    }
  }

  /// The algorithms of ``verifyOthers(than:_:)``.
  func others(than known: COSEKey?, _ response: AuthenticationResponse) -> [COSEAlgorithm] {
    guard let known else { return Array(algorithms.dropFirst()) }
    // A signature of another length than the known modulus was refused early.
    if case .rsa(let modulus, _) = known.material, modulus.count != response.signature.count { return algorithms }
    return algorithms.filter { (algorithm) in Kind(algorithm) != Kind(known.algorithm) }
  }

  private func key(_ algorithm: COSEAlgorithm, for response: AuthenticationResponse) -> COSEKey? {
    guard Kind(algorithm) == .rsa else { return keys[algorithm] }
    // The longer the modulus, the longer a verification of a signature that has its length. A signature that is not below
    // the modulus is refused early, so each credential ID has a modulus of its own, like real keys.
    let byteCount = min(
      max(response.signature.count, Self.modulusByteCounts.lowerBound), Self.modulusByteCounts.upperBound)
    var modulus: [UInt8] = [0x80]
    var block: UInt8 = 0
    while modulus.count < byteCount {
      modulus += HMAC.tag(of: ([block] + response.id.bytes)[...], key: seed)
      block &+= 1
    }
    modulus[0] |= modulus[1] >> 1
    modulus[byteCount - 1] |= 1
    return try? COSEKey(
      algorithm: algorithm, material: .rsa(modulus: modulus[..<byteCount], exponent: [1, 0, 1]))
  }

  // 2,048 to 8,192 bits [those of keys that can be registered]
  private static let modulusByteCounts = 256...1_024
}
