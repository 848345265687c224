// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
package import PasskeyCrypto
internal import PasskeyFormats

/// A JSON Web Signature in compact serialization (RFC 7515 §7.1), with the signer's certificates in the header.
package struct CompactToken: Sendable {
  private let payload: [UInt8]
  private let signer: AttestationIdentity

  /// Creates a token with this payload and signer.
  package init(payload: [UInt8], signer: AttestationIdentity) {
    self.payload = payload
    self.signer = signer
  }

  /// Signs and returns the token.
  ///
  /// - Throws: `crypto.library-failure`.
  package func text(_ signing: SigningMode = .randomized) throws(PasskeyCryptoError) -> [UInt8] {
    guard let name = signer.key.algorithm.joseName else {
      throw PasskeyCryptoError(.unsupportedAlgorithm, "JOSE has no name for \(signer.key.algorithm)")
    }
    let header = JSON.writeObject { (object) in
      object.write("alg", .string(name))
      object.writeArray("x5c") { (array) in
        for certificate in signer.certificates { array.write(.base64(certificate)) }
      }
    }
    let signed = [UInt8]("\(Base64URL.encode(header)).\(Base64URL.encode(payload))".utf8)
    let signature = try signature(over: signed, signing)
    return signed + [UInt8](".\(Base64URL.encode(signature))".utf8)
  }

  /// Signs the message. An ECDSA signature is r followed by s, each as long as the curve's coordinates (RFC 7518 §3.4).
  private func signature(over message: [UInt8], _ signing: SigningMode) throws(PasskeyCryptoError) -> [UInt8] {
    let signature = try signer.key.sign(message, signing)
    guard let byteCount = signer.key.algorithm.definition?.curve?.byteCount,
      case .ecdsa? = signer.key.algorithm.definition?.scheme
    else { return signature }
    do throws(WireError) {
      let numbers = try ECDSASignature(der: signature)
      return [numbers.r, numbers.s].flatMap { [UInt8](repeating: 0, count: max(0, byteCount - $0.count)) + $0 }
    } catch {
      throw PasskeyCryptoError(.invalidSignature, error)
    }
  }
}

extension COSEAlgorithm {
  /// The JOSE algorithm name (RFC 7518 §3.1, RFC 8037).
  fileprivate var joseName: String? {
    switch self {
    case .es256, .es384, .es512, .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: definition?.name
    case .esp256: "ES256"
    case .esp384: "ES384"
    case .esp512: "ES512"
    case .eddsa, .ed25519, .ed448: "EdDSA"
    default: nil
    }
  }
}
