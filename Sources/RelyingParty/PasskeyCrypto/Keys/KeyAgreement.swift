// SPDX-License-Identifier: Apache-2.0

package import PasskeyCOSE
internal import PasskeyFormats

/// One side of an ECDH key agreement on P-256 for CTAP's PIN protocols (CTAP 2.3 §6.5.4).
package struct KeyAgreement: Sendable {
  /// The public key to send to the peer.
  package let publicKey: COSEKey

  private let handle: KeyHandle

  /// Generates a private key. A seeded source is used as for an ES256 key.
  ///
  /// - Throws: `crypto.randomness-unavailable`.
  package init(random: RandomSource) throws(PasskeyCryptoError) {
    try self.init(.generate(.p256, random))
  }

  /// Creates a key agreement from a private scalar, big-endian, at most 32 bytes.
  ///
  /// - Throws: `crypto.invalid-key` unless it is between 1 and the order of the curve.
  package init(privateScalar: SecretBytes) throws(PasskeyCryptoError) {
    try self.init(.privateKey(.p256, scalar: privateScalar))
  }

  private init(_ handle: KeyHandle) throws(PasskeyCryptoError) {
    self.handle = handle
    let material = try handle.material(.ellipticCurve(.p256))
    publicKey = try mapError(COSEKey(algorithm: .ecdhESHKDF256, material: material)) { (error: COSEError) in
      PasskeyCryptoError(.libraryFailure, "\(error)")
    }
  }

  /// Returns the x coordinate of the shared point, 32 bytes. The protocol must derive keys from it; do not use it as a
  /// key.
  ///
  /// - Throws: `crypto.invalid-key` if the peer's point is not on the curve.
  package func sharedSecret(with peer: COSEKey) throws(PasskeyCryptoError) -> SecretBytes {
    guard peer.algorithm == .ecdhESHKDF256 else {
      throw PasskeyCryptoError(.keyMismatch, "\(peer.algorithm) key cannot be used for key agreement")
    }
    return try KeyContext(handle).agree(with: .publicKey(peer.material))
  }
}
