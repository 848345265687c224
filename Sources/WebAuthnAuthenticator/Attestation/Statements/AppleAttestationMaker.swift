// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WebAuthnTypes
public import WireFormats

/// Apple's anonymous attestation (§8.8): an authority makes a certificate for the one credential, with the ceremony in it.
public struct AppleAttestationMaker: AttestationMaker {
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

  /// `apple`
  public var format: AttestationFormat { .apple }

  /// The certificates, and no signature: that the key is the credential's is what they say.
  public func statement(for subject: AttestationSubject) throws(CryptoError) -> CBORTree {
    try statement(for: subject, certificate(for: subject))
  }

  /// The certificate for a credential, before it is signed.
  public func certificate(for subject: AttestationSubject) throws(CryptoError) -> CertificateMaker {
    var certificate = try authority.leaf(
      name, publicKey: subject.credentialKey.publicKey, serialNumber: serialNumber, validity: validity)
    certificate.extensions.append(.appleNonce(Digest.sha256(subject.signedBytes)))
    return certificate
  }

  /// The statement with this certificate.
  public func statement(
    for subject: AttestationSubject, _ certificate: CertificateMaker
  ) throws(CryptoError) -> CBORTree {
    let identity = AttestationIdentity(
      key: subject.credentialKey,
      certificates: [try certificate.certificate(signedBy: authority.key, subject.signing)] + authority.path)
    return ["x5c": identity.x5c]
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
