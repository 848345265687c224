// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
package import PasskeyCrypto
package import PasskeyFormats

/// Writes signed tokens (RFC 7519) in the compact form of RFC 7515.
package struct JSONWebToken {
  private let key: SigningKey
  private let keyID: String?

  /// Uses an ES256 or RS256 key.
  package init(key: SigningKey, keyID: String?) {
    self.key = key
    self.keyID = keyID
  }

  /// Returns a token with these claims.
  ///
  /// - Throws: `crypto.library-failure`.
  package func text(_ claims: (inout JSONObjectWriter) -> Void) throws(PasskeyCryptoError) -> String {
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
      guard let numbers = try? ECDSASignature(der: signature) else { throw PasskeyCryptoError(.libraryFailure) }
      signature = [numbers.r, numbers.s].flatMap { [UInt8](repeating: 0, count: 32 - $0.count) + $0 }
    }
    return "\(signed).\(Base64URL.encode(signature))"
  }
}
