// SPDX-License-Identifier: Apache-2.0

public import COSE

/// One side of an ECDH key agreement on P-256, as CTAP's PIN protocols use it (CTAP 2.3 §6.5.4).
public struct KeyAgreement: Sendable {
  /// What the other side gets.
  public let publicKey: COSEKey

  private let handle: KeyHandle

  /// Makes a new private key. A seeded source is drawn from as for an ES256 key.
  public init(random: RandomSource) throws(CryptoError) {
    try self.init(.generate(.p256, random))
  }

  /// The private key with this scalar, big-endian, at most 32 bytes.
  public init(privateScalar: SecretBytes) throws(CryptoError) {
    try self.init(.privateKey(.p256, scalar: privateScalar))
  }

  private init(_ handle: KeyHandle) throws(CryptoError) {
    self.handle = handle
    let material = try handle.material(.ellipticCurve(.p256))
    do throws(COSEError) {
      publicKey = try COSEKey(algorithm: .ecdhESHKDF256, material: material)
    } catch {
      throw CryptoError(.libraryFailure, "\(error)")
    }
  }

  /// The x coordinate of the point that both sides come to, 32 bytes. A point that is not on the curve is refused.
  ///
  /// It is not yet a key: what is made of it is the protocol's to say.
  public func sharedSecret(with peer: COSEKey) throws(CryptoError) -> SecretBytes {
    guard peer.algorithm == .ecdhESHKDF256 else {
      throw CryptoError(.keyMismatch, "\(peer.algorithm) key for a key agreement")
    }
    return try KeyContext(handle).agree(with: .publicKey(peer.material))
  }
}
