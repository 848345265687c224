// SPDX-License-Identifier: Apache-2.0

internal import COSE
public import SystemCrypto
public import WebAuthnTypes
public import WireFormats

/// Attestation by Android's key store (§8.4): the credential key signs, and an authority makes a certificate for it in
/// which the key store describes the key.
public struct AndroidKeyAttestationMaker: AttestationMaker {
  private let certifier: CredentialCertifier

  /// Has `authority` make certificates about `name`.
  public init(
    _ authority: CertificateIssuer, name: CertificateName, serialNumber: [UInt8], validity: ClosedRange<Timestamp>
  ) {
    certifier = CredentialCertifier(
      authority: authority, name: name, serialNumber: serialNumber, validity: validity)
  }

  /// `android-key`
  public var format: AttestationFormat { .androidKey }

  /// The algorithm, the signature, and the certificates.
  public func statement(for subject: AttestationSubject) throws(CryptoError) -> CBORTree {
    try statement(for: subject, certificate(for: subject, AndroidKeyDescription(of: subject)))
  }

  /// The certificate for a credential with this description, before it is signed.
  public func certificate(
    for subject: AttestationSubject, _ description: AndroidKeyDescription
  ) throws(CryptoError) -> CertificateMaker {
    try certifier.certificate(for: subject, saying: .androidKeyDescription(description))
  }

  /// The statement with this certificate.
  public func statement(
    for subject: AttestationSubject, _ certificate: CertificateMaker
  ) throws(CryptoError) -> CBORTree {
    try PackedAttestationMaker(certifier.identity(of: subject, certificate)).statement(for: subject)
  }
}
