// SPDX-License-Identifier: Apache-2.0

package import PasskeyCOSE
package import PasskeyFormats

/// A private key for one algorithm. Threads may share it.
///
/// The private key stays in memory of libcrypto or of the built-in ML-DSA, which is wiped when the last copy of this value is
/// released.
package struct SigningKey: Sendable {
  /// The public key, as stored in a credential.
  package let publicKey: COSEKey

  let secret: Secret
  let type: KeyType
  private let scheme: COSEAlgorithm.SignatureScheme

  /// An idle context that is ready to sign with ``scheme``, so that frequent signing starts one only once. The thread that
  /// takes it owns it; another thread starts its own, and the last one that is put back is kept.
  private let idle = Locked<KeyContext?>(nil)

  /// The private key, held by the implementation of its algorithm.
  enum Secret: Sendable {
    case libcrypto(KeyHandle)
    case builtIn(BuiltInMLDSAKey)
  }

  /// The algorithm of the key.
  package var algorithm: COSEAlgorithm { publicKey.algorithm }

  /// Signs `message`.
  ///
  /// - Returns: The signature: DER for ECDSA (WebAuthn §6.5.5), the native form of other schemes.
  /// - Throws: `crypto.library-failure`.
  package func sign(
    _ message: some ByteSource, _ mode: SigningMode = .randomized
  ) throws(PasskeyCryptoError) -> [UInt8] {
    try sign(message.slice, scheme: scheme, mode)
  }

  /// Signs with another scheme of the same key type. COSE does not allow this, but certificates do.
  package func sign(
    _ message: Bytes, scheme: COSEAlgorithm.SignatureScheme, _ mode: SigningMode
  ) throws(PasskeyCryptoError) -> [UInt8] {
    switch secret {
    case .builtIn(let key) where scheme == .mlDSA: try key.sign(message, mode)
    case .builtIn: throw PasskeyCryptoError(.keyMismatch, "\(algorithm) key does not match the scheme")
    case .libcrypto(let handle): try sign(message, handle, scheme, mode)
    }
  }

  private func sign(
    _ message: Bytes, _ handle: KeyHandle, _ scheme: COSEAlgorithm.SignatureScheme, _ mode: SigningMode
  ) throws(PasskeyCryptoError) -> [UInt8] {
    switch (scheme, type, mode) {
    case (.ecdsa(let hash), .ellipticCurve(let curve), .deterministic):
      return try DeterministicECDSA(curve, privateScalar: handle.number("priv")).sign(message, hash)
    case (.rsaPSS(let hash), .rsa, .deterministic):
      return try DeterministicPSS(handle).sign(message, hash)
    case (.ecdsa(let hash), .ellipticCurve, _), (.rsaPKCS1(let hash), .rsa, _), (.rsaPSS(let hash), .rsa, _):
      let context = try signingContext(handle, scheme)
      let signature = try unsafe ThreadWorkspace.current.withDigest(of: message, hash) {
        (digest) throws(PasskeyCryptoError) in
        try unsafe context.sign(digest)
      }
      // A context that threw is dropped, because its state is unknown.
      if scheme == self.scheme { idle.withLock { (idle) in idle = context } }
      return signature
    case (.eddsa, .raw, _):
      return try MessageContext(handle).sign(message, withoutRandomness: false)
    case (.mlDSA, .raw, _):
      return try MessageContext(handle).sign(message, withoutRandomness: mode == .deterministic)
    default:
      throw PasskeyCryptoError(.keyMismatch, "\(algorithm) key does not match the scheme")
    }
  }

  private func signingContext(
    _ handle: KeyHandle, _ scheme: COSEAlgorithm.SignatureScheme
  ) throws(PasskeyCryptoError) -> KeyContext {
    if scheme == self.scheme, let context = idle.withLock({ (idle) in idle.take() }) { return context }
    let context = try KeyContext(handle)
    try context.startSigning(KeyContext.Scheme(scheme))
    return context
  }

  init(_ algorithm: COSEAlgorithm, _ type: KeyType, _ secret: Secret) throws(PasskeyCryptoError) {
    let material: COSEKey.Material =
      switch secret {
      case .libcrypto(let handle): try handle.material(type)
      case .builtIn(let key): .akp(publicKey: key.publicKey[...])
      }
    scheme = try algorithm.supportedDefinition.scheme
    publicKey = try mapError(COSEKey(algorithm: algorithm, material: material)) { (error: COSEError) in
      PasskeyCryptoError(.keyMismatch, "\(error)")
    }
    self.secret = secret
    self.type = type
  }
}

extension COSEAlgorithm {
  /// The key type of an algorithm that this module can sign with.
  var supportedKeyType: KeyType {
    get throws(PasskeyCryptoError) {
      guard supportedAlgorithms.contains(self), let type = KeyType(self) else {
        throw PasskeyCryptoError(.unsupportedAlgorithm, description)
      }
      return type
    }
  }
}

/// The source of a signature's randomness in ECDSA, RSA-PSS and ML-DSA.
///
/// Both modes are secure and verify alike. RSASSA-PKCS1-v1_5 and EdDSA are always deterministic.
package enum SigningMode: Sendable {
  /// The system's random generator: two signatures of one message differ.
  case randomized

  /// Derived from the private key and the message, for reproducible runs.
  ///
  /// ECDSA uses RFC 6979, and ML-DSA the deterministic variant of FIPS 204 §3.4. The salt of RSA-PSS is the HMAC of the
  /// message's digest under the private exponent, both with the scheme's hash.
  case deterministic
}
