// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyOpenSSL
internal import PasskeyCOSE
internal import PasskeyFormats

/// An ECDSA verifier that replaces its public key in place, which costs 1/50 of a verification. Creating a key costs
/// 1/3.
///
/// For ECDSA only: on Edwards curves libcrypto reports success but keeps the old key.
final class PointVerifier {
  private let key: KeyHandle
  private let context: KeyContext
  private let curve: EllipticCurve

  /// An uncompressed point (SEC 1 §2.3.3), overwritten for each key.
  private var point: [UInt8]

  /// Whether the current point was checked but has not verified a signature. A new key is checked first, and its own
  /// signature often follows (WebAuthn §8.2, self attestation), so the point need not be set twice.
  private var holdsUnusedPoint = false

  init(_ curve: EllipticCurve) throws(PasskeyCryptoError) {
    guard KeyType.ellipticCurve(curve).isAvailable else {
      throw PasskeyCryptoError(.unsupportedAlgorithm, "\(curve.groupName)")
    }
    var parameters = KeyParameters()
    parameters.add("group", text: curve.groupName)
    key = try ThreadWorkspace.current.keyImporter("EC").makeKey(.parameters, of: parameters)
    context = try KeyContext(key)
    self.curve = curve
    point = [0x04] + [UInt8](repeating: 0, count: 2 * curve.byteCount)
  }

  /// Checks that a point is on the curve. Discard this verifier if it throws.
  func check(x: Bytes, y: Bytes) throws(PasskeyCryptoError) {
    try replacePoint(x: x, y: y)
    holdsUnusedPoint = true
  }

  /// Sets the public key. Discard this verifier if it throws.
  func use(x: Bytes, y: Bytes) throws(PasskeyCryptoError) {
    if !holdsUnusedPoint || !holdsPoint(x: x, y: y) { try replacePoint(x: x, y: y) }
    holdsUnusedPoint = false
    // libcrypto does not promise that a context notices a changed key, so restart it. That costs 2 % of a verification.
    try context.startVerifying(.ecdsa)
  }

  private func holdsPoint(x: Bytes, y: Bytes) -> Bool {
    point.dropFirst().prefix(curve.byteCount) == x && point.suffix(curve.byteCount) == y
  }

  private func replacePoint(x: Bytes, y: Bytes) throws(PasskeyCryptoError) {
    // Accepts only uncompressed points; libcrypto would also accept the point at infinity and hybrid forms.
    guard x.count == curve.byteCount, y.count == curve.byteCount else {
      throw PasskeyCryptoError(.invalidKey, "a coordinate has the wrong length")
    }
    point.replaceSubrange(1..<1 + x.count, with: x)
    point.replaceSubrange(1 + x.count..<point.count, with: y)
    let status = key.withPointer { (key) in
      unsafe EVP_PKEY_set1_encoded_public_key(key, point, point.count)
    }
    try LibCrypto.require(status, .invalidKey, "the point is not on the curve")
  }

  func verify(_ signature: Bytes, digest: UnsafeBufferPointer<UInt8>) throws(PasskeyCryptoError) {
    try unsafe context.verify(signature, digest: digest)
  }
}
