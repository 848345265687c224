// SPDX-License-Identifier: Apache-2.0

public import COSE
public import WireFormats

/// A public key that is kept, to verify any number of signatures from any number of threads.
///
/// It is bound to one way of signing: there is no choice left to make, and so none to get wrong, when a signature comes.
/// A key that is seen once is better asked itself: ``COSE/COSEKey/verify(_:over:)``.
public struct VerifyingKey: Sendable {
  /// How the key's signatures are made.
  public let scheme: COSEAlgorithm.SignatureScheme

  /// The key as data.
  public let material: COSEKey.Material

  private let pool: VerifierPool

  /// The key that a credential record or an attested credential holds.
  public init(_ key: COSEKey) throws(CryptoError) {
    try self.init(key.material, scheme: key.algorithm.supportedDefinition.scheme)
  }

  /// The key of a certificate or of a PEM file, for exactly one algorithm: its type and curve must be the algorithm's.
  public init(subjectPublicKeyInfo: Bytes, algorithm: COSEAlgorithm) throws(CryptoError) {
    try self.init(COSEKey(subjectPublicKeyInfo: subjectPublicKeyInfo, algorithm: algorithm))
  }

  /// Pairs a key with a scheme freely, which COSE does not allow and certificates do: they sign with P-384 and SHA-256.
  package init(_ material: COSEKey.Material, scheme: COSEAlgorithm.SignatureScheme) throws(CryptoError) {
    guard let type = KeyType(material), type.goesWith(scheme) else {
      throw CryptoError(.keyMismatch, "\(material.keyType) key for another scheme")
    }
    guard type.isAvailable else { throw CryptoError(.unsupportedAlgorithm, "\(material.keyType)") }
    try material.requireShape(type)
    self.scheme = scheme
    self.material = material
    pool = try VerifierPool(KeyHandle.publicKey(material), scheme)
  }

  /// Pairs a key with a scheme freely; see ``init(_:scheme:)``.
  package init(
    subjectPublicKeyInfo: Bytes, scheme: COSEAlgorithm.SignatureScheme
  ) throws(CryptoError) {
    try self.init(COSEKey.Material(subjectPublicKeyInfo: subjectPublicKeyInfo), scheme: scheme)
  }

  /// Demands that `signature` was made over `message` with the private key that belongs to this key.
  public func verify(_ signature: Bytes, over message: Bytes) throws(CryptoError) {
    try pool.verify(signature, over: message)
  }
}

extension COSEKey.Material {
  /// Demands what COSE demands of keys of this type, whichever algorithm they are for: lengths, and an RSA key's limits.
  fileprivate func requireShape(_ type: KeyType) throws(CryptoError) {
    do throws(COSEError) {
      _ = try COSEKey(algorithm: type.someAlgorithm, material: self)
    } catch {
      throw CryptoError(.invalidKey, "\(error)")
    }
  }
}

extension KeyType {
  /// An algorithm that goes with the type of key.
  fileprivate var someAlgorithm: COSEAlgorithm {
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

  fileprivate func goesWith(_ scheme: COSEAlgorithm.SignatureScheme) -> Bool {
    switch (self, scheme) {
    case (.ellipticCurve, .ecdsa), (.rsa, .rsaPKCS1), (.rsa, .rsaPSS): true
    case (.raw(.ed25519), .eddsa), (.raw(.ed448), .eddsa): true
    case (.raw(.mlDSA44), .mlDSA), (.raw(.mlDSA65), .mlDSA), (.raw(.mlDSA87), .mlDSA): true
    default: false
    }
  }
}

extension COSEKey {
  /// Demands that `signature` was made over `message` with the private key that belongs to this key.
  ///
  /// This is the way for a key that comes out of a store for one sign-in and goes again: nothing is built that would have
  /// to be kept. For many signatures by one key make a ``VerifyingKey``.
  public func verify(_ signature: Bytes, over message: Bytes) throws(CryptoError) {
    try verify(signature, over: message, followedBy: [])
  }

  /// The same for a message in two parts, such as authenticator data and the hash of client data (WebAuthn §7.2 step 21):
  /// most algorithms need not have them in one array.
  public func verify(_ signature: Bytes, over message: Bytes, followedBy rest: Bytes) throws(CryptoError) {
    if case .ec2(let curve, let x, let y) = material, let curve = EllipticCurve(curve),
      case .ecdsa(let hash)? = algorithm.definition?.scheme
    {
      try ThreadWorkspace.current.verify(signature, over: message, rest, hash, with: (curve, x, y))
    } else {
      let scheme = try algorithm.supportedDefinition.scheme
      try Verifier(.publicKey(material), scheme).verify(signature, over: rest.isEmpty ? message : message + rest)
    }
  }

  /// Demands that the key's point lies on its curve, where the key is a point of a curve for ECDSA.
  ///
  /// Reading a key cannot tell, and a key that nobody can sign with is better refused when it comes than when it is used.
  public func requirePointOnCurve() throws(CryptoError) {
    guard case .ec2(let curve, let x, let y) = material, let curve = EllipticCurve(curve) else { return }
    try ThreadWorkspace.current.check((curve, x, y))
  }
}
