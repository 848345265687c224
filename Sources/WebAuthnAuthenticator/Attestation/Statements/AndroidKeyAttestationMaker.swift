// SPDX-License-Identifier: Apache-2.0

internal import COSE
public import SystemCrypto
public import WebAuthnTypes
public import WireFormats

/// Attestation by Android's key store (§8.4): the credential key signs, and an authority makes a certificate for it in
/// which the key store describes the key.
public struct AndroidKeyAttestationMaker: AttestationMaker {
  private let authority: CertificateIssuer
  private let name: CertificateName
  private let serialNumber: [UInt8]
  private let validity: ClosedRange<Timestamp>

  /// Has `authority` make certificates about `name`.
  public init(
    _ authority: CertificateIssuer, name: CertificateName, serialNumber: [UInt8], validity: ClosedRange<Timestamp>
  ) {
    self.authority = authority
    self.name = name
    self.serialNumber = serialNumber
    self.validity = validity
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
    var certificate = try authority.leaf(
      name, publicKey: subject.credentialKey.publicKey, serialNumber: serialNumber, validity: validity)
    certificate.extensions.append(.androidKeyDescription(description))
    return certificate
  }

  /// The statement with this certificate.
  public func statement(
    for subject: AttestationSubject, _ certificate: CertificateMaker
  ) throws(CryptoError) -> CBORTree {
    let identity = AttestationIdentity(
      key: subject.credentialKey,
      certificates: [try certificate.certificate(signedBy: authority.key, subject.signing)] + authority.path)
    return try PackedAttestationMaker(identity).statement(for: subject)
  }
}
