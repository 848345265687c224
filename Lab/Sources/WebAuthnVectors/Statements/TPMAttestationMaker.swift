// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
package import PasskeyCrypto
package import PasskeyFormats
package import WebAuthnAuthenticator
package import WebAuthnTypes

/// TPM attestation (§8.3): an attestation key of a Trusted Platform Module certifies the credential key.
package struct TPMAttestationMaker: AttestationMaker {
  private let identity: AttestationIdentity

  /// Creates a maker that signs as `identity`, which must have an attestation key certificate (§8.3.1).
  package init(_ identity: AttestationIdentity) {
    self.identity = identity
  }

  /// `tpm`
  package var format: AttestationFormat { .tpm }

  /// Returns a statement with the public area, the signed attestation structure, the signature and the certificates.
  ///
  /// - Throws: `crypto.library-failure`.
  package func statement(for subject: AttestationSubject) throws(PasskeyCryptoError) -> CBORTree {
    try statement(for: subject, certification(of: subject))
  }

  /// Returns the certification that the TPM signs, before it is signed.
  ///
  /// - Throws: `crypto.library-failure`.
  package func certification(of subject: AttestationSubject) throws(PasskeyCryptoError) -> TPMCertification {
    switch identity.key.algorithm.definition?.scheme {
    case .ecdsa(let hash)?, .rsaPSS(let hash)?, .rsaPKCS1(let hash)?: try TPMCertification(of: subject, hash)
    default: throw PasskeyCryptoError(.unsupportedAlgorithm, "\(identity.key.algorithm) has no hash for extraData")
    }
  }

  /// Returns the statement with this certification.
  ///
  /// - Throws: `crypto.library-failure`.
  package func statement(
    for subject: AttestationSubject, _ certification: TPMCertification
  ) throws(PasskeyCryptoError) -> CBORTree {
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
  /// The extended key usage of a TPM attestation key, tcg-kp-AIKCertificate (§8.3.1).
  package static var attestationKeyPurpose: Self { extendedKeyUsage([[2, 23, 133, 8, 3]]) }

  /// Returns the subject alternative name of a TPM: manufacturer ("id:" and eight hexadecimal digits), model and
  /// version (TCG EK Credential Profile §3.2.9). They form one relative name with three attributes.
  package static func trustedPlatformModule(manufacturer: String, model: String, version: String) -> Self {
    subjectAlternativeName(
      directory: CertificateName(relativeNames: [
        [
          .init([2, 23, 133, 2, 1], manufacturer), .init([2, 23, 133, 2, 2], model),
          .init([2, 23, 133, 2, 3], version),
        ]
      ]))
  }
}
