// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
package import PasskeyFormats
package import WebAuthnAuthenticator
package import WebAuthnTypes

/// Apple Anonymous Attestation (§8.8): an authority certifies the credential key, with a nonce of the ceremony in the
/// certificate.
package struct AppleAttestationMaker: AttestationMaker {
  private let certifier: CredentialCertifier

  /// Creates a maker whose certificates are issued by `authority` to `name`.
  package init(
    _ authority: CertificateIssuer, name: CertificateName, serialNumber: [UInt8], validity: ClosedRange<UnixTime>
  ) {
    certifier = CredentialCertifier(
      authority: authority, name: name, serialNumber: serialNumber, validity: validity)
  }

  /// `apple`
  package var format: AttestationFormat { .apple }

  /// Returns a statement with certificates only. They prove possession of the key, so there is no signature.
  ///
  /// - Throws: `crypto.library-failure`.
  package func statement(for subject: AttestationSubject) throws(PasskeyCryptoError) -> CBORTree {
    try statement(for: subject, certificate(for: subject))
  }

  /// Returns an unsigned certificate for a credential.
  ///
  /// - Throws: `crypto.library-failure`.
  package func certificate(for subject: AttestationSubject) throws(PasskeyCryptoError) -> CertificateMaker {
    try certifier.certificate(for: subject, saying: .appleNonce(Digest.sha256(subject.signedBytes)))
  }

  /// Returns the statement with this certificate.
  ///
  /// - Throws: `crypto.library-failure`.
  package func statement(
    for subject: AttestationSubject, _ certificate: CertificateMaker
  ) throws(PasskeyCryptoError) -> CBORTree {
    ["x5c": try certifier.identity(of: subject, certificate).x5c]
  }
}

extension CertificateExtension {
  /// Returns Apple's proprietary nonce extension: SEQUENCE { nonce [1] EXPLICIT OCTET STRING }.
  package static func appleNonce(_ nonce: [UInt8]) -> Self {
    making([1, 2, 840, 113635, 100, 8, 2]) { (writer) in
      writer.writeSequence { (writer) in writer.writeExplicit(1) { $0.writeOctetString(nonce[...]) } }
    }
  }
}
