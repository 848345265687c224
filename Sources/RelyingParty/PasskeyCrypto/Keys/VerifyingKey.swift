// SPDX-License-Identifier: Apache-2.0

package import PasskeyCOSE
package import PasskeyFormats

/// A prepared public key that verifies any number of signatures. Threads may share it.
///
/// It is bound to one signature scheme, so a signature cannot choose its algorithm. For a key that is used once,
/// the `verify` functions of ``PasskeyCOSE/COSEKey`` are cheaper.
package struct VerifyingKey: Sendable {
  /// The signature scheme.
  package let scheme: COSEAlgorithm.SignatureScheme

  /// The key material.
  package let material: COSEKey.Material

  private let prepared: Prepared

  /// The key, held by the implementation of its scheme.
  private enum Prepared: Sendable {
    case libcrypto(VerifierPool)
    case builtIn(BuiltInMLDSAPublicKey)
  }

  /// Prepares the key of a credential.
  ///
  /// - Throws: `crypto.unsupported-algorithm` if this build cannot verify with it, or `crypto.invalid-key`.
  package init(_ key: COSEKey) throws(PasskeyCryptoError) {
    try self.init(key.material, scheme: key.algorithm.supportedDefinition.scheme)
  }

  /// Parses a SubjectPublicKeyInfo for one algorithm, whose key type and curve must match.
  ///
  /// - Throws: `crypto.malformed-key` or `crypto.key-mismatch`.
  package init(subjectPublicKeyInfo: some ByteSource, algorithm: COSEAlgorithm) throws(PasskeyCryptoError) {
    let subjectPublicKeyInfo = subjectPublicKeyInfo.slice
    try self.init(COSEKey(subjectPublicKeyInfo: subjectPublicKeyInfo, algorithm: algorithm))
  }

  /// Combines a key with any scheme of its type. COSE does not allow this, but certificates do, such as P-384 with
  /// SHA-256.
  package init(_ material: COSEKey.Material, scheme: COSEAlgorithm.SignatureScheme) throws(PasskeyCryptoError) {
    guard let type = KeyType(material), type.supports(scheme) else {
      throw PasskeyCryptoError(.keyMismatch, "\(material.keyType) key does not match the scheme")
    }
    guard type.isAvailable else { throw PasskeyCryptoError(.unsupportedAlgorithm, "\(material.keyType)") }
    try material.requireShape(type)
    self.scheme = scheme
    self.material = material
    if let key = try BuiltInMLDSAPublicKey(material) {
      prepared = .builtIn(key)
    } else {
      prepared = .libcrypto(try VerifierPool(KeyHandle.publicKey(material), scheme))
    }
  }

  /// Combines a key with any scheme of its type; see ``init(_:scheme:)``.
  package init(
    subjectPublicKeyInfo: Bytes, scheme: COSEAlgorithm.SignatureScheme
  ) throws(PasskeyCryptoError) {
    try self.init(COSEKey.Material(subjectPublicKeyInfo: subjectPublicKeyInfo), scheme: scheme)
  }

  /// Verifies that the private key of this key signed `message`.
  ///
  /// - Throws: `crypto.invalid-signature`.
  package func verify(_ signature: some ByteSource, over message: some ByteSource) throws(PasskeyCryptoError) {
    let signature = signature.slice
    let message = message.slice
    switch prepared {
    case .libcrypto(let pool): try pool.verify(signature, over: message)
    case .builtIn(let key): try key.verify(signature, over: message)
    }
  }
}

extension COSEKey.Material {
  /// Checks the lengths and RSA limits that COSE requires of keys of this type.
  fileprivate func requireShape(_ type: KeyType) throws(PasskeyCryptoError) {
    do throws(COSEError) {
      _ = try COSEKey(algorithm: type.anyAlgorithm, material: self)
    } catch {
      throw PasskeyCryptoError(.invalidKey, "\(error)")
    }
  }
}

extension KeyType {
  /// An algorithm of the key type.
  fileprivate var anyAlgorithm: COSEAlgorithm {
    switch self {
    case .ellipticCurve(.p256): .es256
    case .ellipticCurve(.p384): .es384
    case .ellipticCurve(.p521): .es512
    case .ellipticCurve(.secp256k1): .es256k
    case .raw(.ed25519): .ed25519
    case .raw(.ed448): .ed448
    case .raw(.mlDSA44): .mlDSA44
    case .raw(.mlDSA65): .mlDSA65
    case .raw(.mlDSA87): .mlDSA87
    case .rsa: .rs256
    }
  }

  fileprivate func supports(_ scheme: COSEAlgorithm.SignatureScheme) -> Bool {
    switch (self, scheme) {
    case (.ellipticCurve, .ecdsa), (.rsa, .rsaPKCS1), (.rsa, .rsaPSS): true
    case (.raw(.ed25519), .eddsa), (.raw(.ed448), .eddsa): true
    case (.raw(.mlDSA44), .mlDSA), (.raw(.mlDSA65), .mlDSA), (.raw(.mlDSA87), .mlDSA): true
    default: false
    }
  }
}

extension COSEKey {
  /// Verifies that the private key of this key signed `message`.
  ///
  /// Prepares nothing that would have to be kept. For several signatures of one key use ``VerifyingKey``.
  ///
  /// - Throws: `crypto.invalid-signature`.
  package func verify(_ signature: some ByteSource, over message: some ByteSource) throws(PasskeyCryptoError) {
    let signature = signature.slice
    let message = message.slice
    try verify(signature, over: message, followedBy: [])
  }

  /// Verifies a signature over a message in two parts, such as authenticator data and the hash of client data (WebAuthn
  /// §7.2 step 21). Most algorithms do not need to join them.
  ///
  /// - Throws: `crypto.invalid-signature`.
  package func verify(
    _ signature: some ByteSource, over message: some ByteSource, followedBy rest: some ByteSource
  ) throws(PasskeyCryptoError) {
    let signature = signature.slice
    let message = message.slice
    let rest = rest.slice
    if case .ec2(let curve, let x, let y) = material, let curve = EllipticCurve(curve),
      case .ecdsa(let hash)? = algorithm.definition?.scheme
    {
      try ThreadWorkspace.current.verify(signature, over: message, rest, hash, with: (curve, x, y))
    } else {
      let scheme = try algorithm.supportedDefinition.scheme
      let whole = rest.isEmpty ? message : message + rest
      if let key = try BuiltInMLDSAPublicKey(material) {
        try key.verify(signature, over: whole)
      } else {
        try Verifier(.publicKey(material), scheme).verify(signature, over: whole)
      }
    }
  }

  /// Checks that the point of an ECDSA key is on its curve. Accepts all other keys.
  ///
  /// Parsing does not check this. Call it when a key arrives, so that an unusable key is rejected before it is stored.
  ///
  /// - Throws: `crypto.invalid-key`.
  package func requirePointOnCurve() throws(PasskeyCryptoError) {
    guard case .ec2(let curve, let x, let y) = material, let curve = EllipticCurve(curve) else { return }
    try ThreadWorkspace.current.check((curve, x, y))
  }
}
