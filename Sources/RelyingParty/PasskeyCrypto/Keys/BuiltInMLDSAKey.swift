// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyFormats
internal import PasskeyMLDSA

/// A public key of ML-DSA for the built-in implementation. Threads may share it.
struct BuiltInMLDSAPublicKey: Sendable {
  private let key: PublicKey

  /// Decodes the key of a credential; `nil` for keys that libcrypto serves.
  init?(_ material: COSEKey.Material) throws(PasskeyCryptoError) {
    guard case .akp(let encoding) = material,
      let parameters = RawKeyType(mlDSAPublicKeyByteCount: encoding.count)?.builtInParameters
    else { return nil }
    try self.init(parameters, encoding)
  }

  /// Decodes a public key.
  init(_ parameters: ParameterSet, _ encoding: Bytes) throws(PasskeyCryptoError) {
    key = try mapError(PublicKey(parameters, encoding.span), PasskeyCryptoError.init(mlDSA:))
  }

  /// Verifies a signature with an empty context, as COSE does (RFC 9964 §3).
  func verify(_ signature: Bytes, over message: Bytes) throws(PasskeyCryptoError) {
    let context: [UInt8] = []
    try mapError(key.verify(signature.span, over: message.span, context: context.span), PasskeyCryptoError.init(mlDSA:))
  }
}

/// A private key of ML-DSA for the built-in implementation. Threads may share it.
struct BuiltInMLDSAKey: Sendable {
  private let key: PrivateKey
  /// The seed; `nil` if the key was read without it.
  let seed: SecretBytes?

  /// The public key.
  var publicKey: [UInt8] { key.publicKey }

  /// Derives the key of a seed.
  init(_ parameters: ParameterSet, seed: SecretBytes) throws(PasskeyCryptoError) {
    key = try Self.key(seed) { (seed) throws(MLDSAError) in try PrivateKey(parameters, seed: seed.span) }
    self.seed = seed
  }

  /// Decodes an expanded key.
  init(_ parameters: ParameterSet, expanded: SecretBytes) throws(PasskeyCryptoError) {
    key = try Self.key(expanded) { (expanded) throws(MLDSAError) in
      try PrivateKey(parameters, expanded: expanded.span)
    }
    seed = nil
  }

  private static func key(
    _ secret: SecretBytes, _ make: (Bytes) throws(MLDSAError) -> PrivateKey
  ) throws(PasskeyCryptoError) -> PrivateKey {
    try mapError(secret.withBytes(make), PasskeyCryptoError.init(mlDSA:))
  }

  /// Signs with an empty context. A randomized signature is the hedged one of FIPS 204 §3.4.
  func sign(_ message: Bytes, _ mode: SigningMode) throws(PasskeyCryptoError) -> [UInt8] {
    let count = ParameterSet.randomnessByteCount
    let randomness =
      switch mode {
      case .randomized: try RandomSource.system.secret(count)
      case .deterministic: SecretBytes(taking: [UInt8](repeating: 0, count: count))
      }
    let context: [UInt8] = []
    do throws(MLDSAError) {
      return try randomness.withBytes { (randomness) throws(MLDSAError) in
        try key.sign(message.span, context: context.span, randomness: randomness.span)
      }
    } catch {
      throw PasskeyCryptoError(mlDSA: error)
    }
  }

  /// A copy of the expanded key.
  var expanded: SecretBytes {
    key.withExpandedKey { (key) in
      var copy: [UInt8] = []
      copy.reserveCapacity(key.count)
      for i in 0..<key.count { copy.append(key[i]) }
      return SecretBytes(taking: copy)
    }
  }
}
