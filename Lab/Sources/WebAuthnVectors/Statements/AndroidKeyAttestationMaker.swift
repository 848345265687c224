// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
package import PasskeyCrypto
package import PasskeyFormats
package import WebAuthnAuthenticator
package import WebAuthnTypes

/// Android Key attestation (§8.4): the credential key signs, and its certificate contains the key store's description
/// of the key.
package struct AndroidKeyAttestationMaker: AttestationMaker {
  private let certifier: CredentialCertifier

  /// Creates a maker whose certificates are issued by `authority` to `name`.
  package init(
    _ authority: CertificateIssuer, name: CertificateName, serialNumber: [UInt8], validity: ClosedRange<UnixTime>
  ) {
    certifier = CredentialCertifier(
      authority: authority, name: name, serialNumber: serialNumber, validity: validity)
  }

  /// `android-key`
  package var format: AttestationFormat { .androidKey }

  /// Returns a statement with algorithm, signature and certificates.
  ///
  /// - Throws: `crypto.library-failure`.
  package func statement(for subject: AttestationSubject) throws(PasskeyCryptoError) -> CBORTree {
    try statement(for: subject, certificate(for: subject, AndroidKeyDescription(of: subject)))
  }

  /// Returns an unsigned certificate for a credential, with this key description.
  ///
  /// - Throws: `crypto.library-failure`.
  package func certificate(
    for subject: AttestationSubject, _ description: AndroidKeyDescription
  ) throws(PasskeyCryptoError) -> CertificateMaker {
    try certifier.certificate(for: subject, saying: .androidKeyDescription(description))
  }

  /// Returns the statement with this certificate.
  ///
  /// - Throws: `crypto.library-failure`.
  package func statement(
    for subject: AttestationSubject, _ certificate: CertificateMaker
  ) throws(PasskeyCryptoError) -> CBORTree {
    try PackedAttestationMaker(certifier.identity(of: subject, certificate)).statement(for: subject)
  }
}
