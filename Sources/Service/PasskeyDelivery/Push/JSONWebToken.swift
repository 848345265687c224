// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats

/// Writes signed tokens (RFC 7519) in the compact form of RFC 7515.
struct JSONWebToken {
  private let key: SigningKey
  private let keyID: String?

  /// Uses an ES256 or RS256 key.
  init(key: SigningKey, keyID: String?) {
    self.key = key
    self.keyID = keyID
  }

  /// Reads a private key in PEM: one block of PKCS#8.
  ///
  /// - Throws: `delivery.key-invalid`.
  static func key(_ algorithm: COSEAlgorithm, pem: SecretBytes) throws(DeliveryError) -> SigningKey {
    let blocks = pem.withBytes { (text) in try? PEM.blocks(in: text) }
    guard let block = blocks?.first, blocks?.count == 1, block.label == "PRIVATE KEY",
      let key = try? SigningKey(algorithm, pkcs8: SecretBytes(block.bytes))
    else { throw DeliveryError(.keyInvalid, "use a file with one private key for \(algorithm), PEM, no password") }
    return key
  }

  /// Returns a token with these claims.
  func text(_ claims: (inout JSONObjectWriter) -> Void) throws(PasskeyCryptoError) -> String {
    let header = JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write("alg", key.algorithm == .es256 ? "ES256" : "RS256")
      object.write("typ", "JWT")
      if let keyID { object.write("kid", keyID) }
    }
    let payload = JSON.writeObject { (object: inout JSONObjectWriter) in claims(&object) }
    let signed = "\(Base64URL.encode(header)).\(Base64URL.encode(payload))"
    var signature = try key.sign(Array(signed.utf8))
    if key.algorithm == .es256 {
      // RFC 7518 §3.4: both numbers in 32 bytes each, instead of DER.
      guard let numbers = try? ECDSASignature(der: signature[...]) else { throw PasskeyCryptoError(.libraryFailure) }
      signature = [numbers.r, numbers.s].flatMap { [UInt8](repeating: 0, count: 32 - $0.count) + $0 }
    }
    return "\(signed).\(Base64URL.encode(signature))"
  }
}
