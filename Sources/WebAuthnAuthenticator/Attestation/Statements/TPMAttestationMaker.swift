// SPDX-License-Identifier: Apache-2.0

internal import COSE
public import SystemCrypto
public import WebAuthnTypes
public import WireFormats

/// Attestation by a Trusted Platform Module (§8.3): its attestation key certifies the credential key.
public struct TPMAttestationMaker: AttestationMaker {
  private let identity: AttestationIdentity

  /// Signs as `identity`, whose certificate is one of an attestation key (§8.3.1).
  public init(_ identity: AttestationIdentity) {
    self.identity = identity
  }

  /// `tpm`
  public var format: AttestationFormat { .tpm }

  /// The key, what the TPM signed to certify it, the signature, and the certificates.
  public func statement(for subject: AttestationSubject) throws(CryptoError) -> CBORTree {
    try statement(for: subject, certification(of: subject))
  }

  /// What the TPM signs, before it does.
  public func certification(of subject: AttestationSubject) throws(CryptoError) -> TPMCertification {
    switch identity.key.algorithm.definition?.scheme {
    case .ecdsa(let hash)?, .rsaPSS(let hash)?, .rsaPKCS1(let hash)?: try TPMCertification(of: subject, hash)
    default: throw CryptoError(.unsupportedAlgorithm, "\(identity.key.algorithm) has no hash for extraData")
    }
  }

  /// The statement with this certification.
  public func statement(
    for subject: AttestationSubject, _ certification: TPMCertification
  ) throws(CryptoError) -> CBORTree {
    let certifyInfo = certification.certifyInfo
    return [
      "ver": .text(certification.version),
      "alg": .integer(identity.key.algorithm.rawValue),
      "x5c": identity.x5c,
      "sig": .bytes(try identity.key.sign(certifyInfo[...], subject.signing)),
      "certInfo": .bytes(certifyInfo),
      "pubArea": .bytes(certification.publicArea),
    ]
  }
}

extension CertificateExtension {
  /// The purpose of a TPM's attestation key, tcg-kp-AIKCertificate (§8.3.1).
  public static var attestationKeyPurpose: Self { extendedKeyUsage([[2, 23, 133, 8, 3]]) }

  /// The TPM's maker ("id:" and eight hex digits), model and version, as the TCG's EK Credential Profile §3.2.9 has them:
  /// one relative name with three attributes.
  public static func trustedPlatformModule(manufacturer: String, model: String, version: String) -> Self {
    subjectAlternativeName(
      directory: CertificateName(relativeNames: [
        [
          .init([2, 23, 133, 2, 1], manufacturer), .init([2, 23, 133, 2, 2], model),
          .init([2, 23, 133, 2, 3], version),
        ]
      ]))
  }
}
