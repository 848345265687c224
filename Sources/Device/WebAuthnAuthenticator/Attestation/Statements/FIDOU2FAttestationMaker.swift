// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
package import PasskeyCrypto
package import PasskeyFormats
package import WebAuthnTypes

/// FIDO U2F attestation (§8.6): for ES256 credentials, signed by a P-256 key with one certificate.
package struct FIDOU2FAttestationMaker: AttestationMaker {
  private let identity: AttestationIdentity

  /// Creates a maker that signs as `identity`.
  package init(_ identity: AttestationIdentity) {
    self.identity = identity
  }

  /// `fido-u2f`
  package var format: AttestationFormat { .fidoU2F }

  /// Returns a statement with the U2F registration signature and the certificate.
  ///
  /// - Throws: `crypto.library-failure`.
  package func statement(for subject: AttestationSubject) throws(PasskeyCryptoError) -> CBORTree {
    guard let credential = subject.authenticatorData.attestedCredentialData,
      case .ec2(.p256, let x, let y) = subject.credentialKey.publicKey.material
    else {
      throw PasskeyCryptoError(.keyMismatch, "U2F supports P-256 credentials only")
    }
    var message = ByteWriter()
    message.write(0x00 as UInt8)
    message.write(subject.authenticatorData.relyingPartyIDHash)
    message.write(subject.clientDataHash)
    message.write(credential.credentialID)
    message.write(0x04 as UInt8)
    message.write(x)
    message.write(y)
    return ["sig": .bytes(try identity.key.sign(message.bytes, subject.signing)), "x5c": identity.x5c]
  }
}
