// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAuthenticator

/// An authority that certifies each new credential's own key, as Android's key store and Apple do.
struct CredentialCertifier: Sendable {
  let authority: CertificateIssuer
  let name: CertificateName
  let serialNumber: [UInt8]
  let validity: ClosedRange<UnixTime>

  /// Returns an unsigned certificate for a credential, with the format's extension.
  func certificate(
    for subject: AttestationSubject, saying statement: CertificateExtension
  ) throws(PasskeyCryptoError) -> CertificateMaker {
    var certificate = try authority.leaf(
      name, publicKey: subject.credentialKey.publicKey, serialNumber: serialNumber, validity: validity)
    certificate.extensions.append(statement)
    return certificate
  }

  /// Signs the certificate. Returns the credential's key with the certificate chain.
  func identity(
    of subject: AttestationSubject, _ certificate: CertificateMaker
  ) throws(PasskeyCryptoError) -> AttestationIdentity {
    AttestationIdentity(
      key: subject.credentialKey,
      certificates: [try certificate.certificate(signedBy: authority.key, subject.signing)] + authority.path)
  }
}
