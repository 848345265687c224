// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import COpenSSL
internal import WireFormats

/// An ECDSA verifier whose public key is changed in place, which costs a fiftieth of a verification; making a new key
/// costs a third of one.
///
/// For ECDSA only: on an Edwards curve libcrypto says that it has changed the key and goes on with the old one.
final class PointVerifier {
  private let key: KeyHandle
  private let context: KeyContext
  private let curve: EllipticCurve

  /// An uncompressed point (SEC 1 §2.3.3), written over for each key.
  private var point: [UInt8]

  /// Whether the point in place has only been checked, and verified nothing yet. A new key's has, and its own signature
  /// often comes next (WebAuthn §8.2, self attestation): the point need not be put in place twice for that.
  private var isOnlyChecked = false

  init(_ curve: EllipticCurve) throws(CryptoError) {
    guard KeyType.ellipticCurve(curve).isAvailable else {
      throw CryptoError(.unsupportedAlgorithm, "\(curve.groupName)")
    }
    var parameters = KeyParameters()
    parameters.add("group", text: curve.groupName)
    key = try ThreadWorkspace.current.keyImporter("EC").makeKey(.parameters, of: parameters)
    context = try KeyContext(key)
    self.curve = curve
    point = [0x04] + [UInt8](repeating: 0, count: 2 * curve.byteCount)
  }

  /// Demands that a point lies on the curve. Where it does not, this verifier must not be used again.
  func check(x: Bytes, y: Bytes) throws(CryptoError) {
    try replacePoint(x: x, y: y)
    isOnlyChecked = true
  }

  /// Makes a public key the one that verifies. Where that fails, this verifier must not be used again.
  func use(x: Bytes, y: Bytes) throws(CryptoError) {
    if !isOnlyChecked || !isInPlace(x: x, y: y) { try replacePoint(x: x, y: y) }
    isOnlyChecked = false
  }

  private func isInPlace(x: Bytes, y: Bytes) -> Bool {
    point.dropFirst().prefix(curve.byteCount) == x && point.suffix(curve.byteCount) == y
  }

  private func replacePoint(x: Bytes, y: Bytes) throws(CryptoError) {
    // Only this one form goes in: libcrypto would also take the point at infinity and the hybrid forms.
    guard x.count == curve.byteCount, y.count == curve.byteCount else {
      throw CryptoError(.invalidKey, "a coordinate's length")
    }
    point.replaceSubrange(1..<1 + x.count, with: x)
    point.replaceSubrange(1 + x.count..<point.count, with: y)
    let status = key.withPointer { (key) in
      unsafe EVP_PKEY_set1_encoded_public_key(key, point, point.count)
    }
    try LibCrypto.require(status, .invalidKey, "the point is not on the curve")
    // Nothing promises that a context notices a key that changed under it.
    try context.startVerifying(.ecdsa)
  }

  func verify(_ signature: Bytes, digest: UnsafeBufferPointer<UInt8>) throws(CryptoError) {
    try unsafe context.verify(signature, digest: digest)
  }
}
