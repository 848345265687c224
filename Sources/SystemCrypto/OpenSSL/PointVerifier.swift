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

  /// Puts another public key in place. Where that fails, this verifier must not be used again.
  func replacePoint(x: Bytes, y: Bytes) throws(CryptoError) {
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
