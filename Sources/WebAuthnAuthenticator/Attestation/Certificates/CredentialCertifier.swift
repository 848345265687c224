// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

/// Somebody who makes a certificate for each new credential, as Android's key store and Apple do: the credential's own key
/// is what is certified.
struct CredentialCertifier: Sendable {
  let authority: CertificateIssuer
  let name: CertificateName
  let serialNumber: [UInt8]
  let validity: ClosedRange<Timestamp>

  /// The certificate for a credential, before it is signed, with what the format has it say.
  func certificate(
    for subject: AttestationSubject, saying statement: CertificateExtension
  ) throws(CryptoError) -> CertificateMaker {
    var certificate = try authority.leaf(
      name, publicKey: subject.credentialKey.publicKey, serialNumber: serialNumber, validity: validity)
    certificate.extensions.append(statement)
    return certificate
  }

  /// The credential's key with this certificate, signed, and those that lead from it to a root.
  func identity(
    of subject: AttestationSubject, _ certificate: CertificateMaker
  ) throws(CryptoError) -> AttestationIdentity {
    AttestationIdentity(
      key: subject.credentialKey,
      certificates: [try certificate.certificate(signedBy: authority.key, subject.signing)] + authority.path)
  }
}
