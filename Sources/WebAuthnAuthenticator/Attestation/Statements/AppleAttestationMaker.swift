// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WebAuthnTypes
public import WireFormats

/// Apple's anonymous attestation (§8.8): an authority makes a certificate for the one credential, with the ceremony in it.
public struct AppleAttestationMaker: AttestationMaker {
  private let certifier: CredentialCertifier

  /// Has `authority` make certificates about `name`.
  public init(
    _ authority: CertificateIssuer, name: CertificateName, serialNumber: [UInt8], validity: ClosedRange<Timestamp>
  ) {
    certifier = CredentialCertifier(
      authority: authority, name: name, serialNumber: serialNumber, validity: validity)
  }

  /// `apple`
  public var format: AttestationFormat { .apple }

  /// The certificates, and no signature: that the key is the credential's is what they say.
  public func statement(for subject: AttestationSubject) throws(CryptoError) -> CBORTree {
    try statement(for: subject, certificate(for: subject))
  }

  /// The certificate for a credential, before it is signed.
  public func certificate(for subject: AttestationSubject) throws(CryptoError) -> CertificateMaker {
    try certifier.certificate(for: subject, saying: .appleNonce(Digest.sha256(subject.signedBytes)))
  }

  /// The statement with this certificate.
  public func statement(
    for subject: AttestationSubject, _ certificate: CertificateMaker
  ) throws(CryptoError) -> CBORTree {
    ["x5c": try certifier.identity(of: subject, certificate).x5c]
  }
}

extension CertificateExtension {
  /// SEQUENCE { nonce [1] EXPLICIT OCTET STRING }: Apple's own, and in no standard.
  public static func appleNonce(_ nonce: [UInt8]) -> Self {
    making([1, 2, 840, 113635, 100, 8, 2]) { (writer) in
      writer.writeSequence { (writer) in writer.writeExplicit(1) { $0.writeOctetString(nonce[...]) } }
    }
  }
}
