// SPDX-License-Identifier: Apache-2.0

public import COSE
public import WireFormats

/// A private key, bound to one algorithm, that signs from any number of threads.
///
/// The private half stays inside the system's library and is wiped there when the last copy of this value goes.
public struct SigningKey: Sendable {
  /// The public half, as a credential carries it.
  public let publicKey: COSEKey

  let handle: KeyHandle
  let type: KeyType
  private let scheme: COSEAlgorithm.SignatureScheme

  /// A context that has signed by ``scheme`` and is ready to again.
  private let idle = ContextSlot()

  /// The one algorithm that the key is for.
  public var algorithm: COSEAlgorithm { publicKey.algorithm }

  /// Signs `message`: DER for ECDSA, as WebAuthn §6.5.5 wants it, and each other scheme's own form.
  public func sign(_ message: Bytes, _ mode: SigningMode = .randomized) throws(CryptoError) -> [UInt8] {
    try sign(message, scheme: scheme, mode)
  }

  /// Signs by another scheme for the same type of key, which COSE does not allow and certificates do.
  package func sign(
    _ message: Bytes, scheme: COSEAlgorithm.SignatureScheme, _ mode: SigningMode
  ) throws(CryptoError) -> [UInt8] {
    switch (scheme, type, mode) {
    case (.ecdsa(let hash), .ellipticCurve(let curve), .deterministic):
      return try DeterministicECDSA(curve, privateScalar: handle.number("priv")).sign(message, hash)
    case (.rsaPSS(let hash), .rsa, .deterministic):
      return try DeterministicPSS(handle).sign(message, hash)
    case (.ecdsa(let hash), .ellipticCurve, _), (.rsaPKCS1(let hash), .rsa, _), (.rsaPSS(let hash), .rsa, _):
      let context = try signingContext(scheme)
      let signature = try unsafe ThreadWorkspace.current.withDigest(of: message, hash) { (digest) throws(CryptoError) in
        try unsafe context.sign(digest)
      }
      // One that threw is dropped: what that leaves in a context is not worth knowing.
      if scheme == self.scheme { idle.put(context) }
      return signature
    case (.eddsa, .raw, _):
      return try MessageContext(handle).sign(message, withoutRandomness: false)
    case (.mlDSA, .raw, _):
      return try MessageContext(handle).sign(message, withoutRandomness: mode == .deterministic)
    default:
      throw CryptoError(.keyMismatch, "\(algorithm) key for another scheme")
    }
  }

  private func signingContext(_ scheme: COSEAlgorithm.SignatureScheme) throws(CryptoError) -> KeyContext {
    if scheme == self.scheme, let kept = idle.take() { return kept }
    let context = try KeyContext(handle)
    try context.startSigning(KeyContext.Scheme(scheme))
    return context
  }

  init(_ algorithm: COSEAlgorithm, _ type: KeyType, _ handle: KeyHandle) throws(CryptoError) {
    let material = try handle.material(type)
    scheme = try algorithm.supportedDefinition.scheme
    do throws(COSEError) {
      publicKey = try COSEKey(algorithm: algorithm, material: material)
    } catch {
      throw CryptoError(.keyMismatch, "\(error)")
    }
    self.handle = handle
    self.type = type
  }
}

extension COSEAlgorithm {
  /// The type of key that goes with the algorithm, where it can be signed with here.
  var supportedKeyType: KeyType {
    get throws(CryptoError) {
      guard supportedAlgorithms.contains(self), let type = KeyType(self) else {
        throw CryptoError(.unsupportedAlgorithm, description)
      }
      return type
    }
  }
}

/// Where the randomness of a signature comes from, for the schemes that have any: ECDSA, RSA-PSS and ML-DSA.
///
/// Both are safe and verify alike. RSASSA-PKCS1-v1_5 and EdDSA are deterministic by definition.
public enum SigningMode: Sendable {
  /// From the system: signing the same message twice gives two signatures.
  case randomized

  /// From the private key and the message, so that a run can be repeated.
  ///
  /// ECDSA takes its nonce as RFC 6979 says; ML-DSA is the deterministic variant of FIPS 204 §3.4; the salt of RSA-PSS
  /// is the HMAC of the message's digest under the private exponent, both with the scheme's hash.
  case deterministic
}
