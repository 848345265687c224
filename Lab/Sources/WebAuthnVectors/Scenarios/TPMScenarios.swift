// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAttestation
internal import WebAuthnAuthenticator
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// Attestation by a Trusted Platform Module (WebAuthn §8.3).
enum TPMScenarios {
  static var all: [RegistrationScenario] { valid + statement + structures + certificate }

  private static var valid: [RegistrationScenario] {
    [
      RegistrationScenario("attestation-tpm/ecc-by-es256", .tpm()),
      RegistrationScenario("attestation-tpm/ecc-p384-by-es384", .es384, .tpm(.es384)),
      RegistrationScenario("attestation-tpm/rsa-by-rs256", .rs256, .tpm(.rs256)),
      RegistrationScenario("attestation-tpm/rsa-by-ps256", .ps256, .tpm(.ps256)),
      RegistrationScenario("attestation-tpm/rsa-by-rs1", .rs256, .tpm(.rs1)),
      RegistrationScenario("attestation-tpm/names-in-three-parts", .tpm())
        .modifying { (certificate: inout CertificateMaker) in
          certificate.extensions[5] = .subjectAlternativeName(
            directory: CertificateName(
              .init([2, 23, 133, 2, 3], "id:00020000"), .init([2, 23, 133, 2, 1], "id:FFFFF1D0"),
              .init([2, 23, 133, 2, 2], "Passkey Vectors")))
        },
    ]
  }

  private static var statement: [RegistrationScenario] {
    ["ver", "alg", "sig", "x5c", "certInfo", "pubArea"].map { (name) in
      RegistrationScenario("attestation-tpm/without-\(name)", .tpm(), .statementWithout(name, in: .tpm))
        .refused(.malformedStatement, "cbor.missing-key")
    } + [
      RegistrationScenario("attestation-tpm/of-version-1", .tpm(), .tpmOfVersion1).refused(.tpmVersion),
      RegistrationScenario("attestation-tpm/algorithm-unknown", .tpm(), .algorithmUnknown(in: .tpm))
        .refused(.unsupportedAlgorithm),
      RegistrationScenario("attestation-tpm/algorithm-of-another-key", .tpm(), .algorithmOfAnotherKey(in: .tpm))
        .refused(.algorithmMismatch, "crypto.key-mismatch"),
      RegistrationScenario("attestation-tpm/legacy-hash-refused", .rs256, .tpm(.rs1))
        .configuring { $0.policy.legacyHash = .inNoFormat }
        .refused(.legacyHash, because: "the relying party does not accept signatures over SHA-1"),
      RegistrationScenario("attestation-tpm/signature-spoilt", .tpm(), .signatureBitFlipped(in: .tpm))
        .refused(.invalidSignature, "crypto.invalid-signature"),
      RegistrationScenario("attestation-tpm/certificate-of-another-key", .tpm(), .certificateForAnotherKey)
        .refused(.invalidSignature, "crypto.invalid-signature"),
    ]
  }

  private static var structures: [RegistrationScenario] {
    [
      RegistrationScenario("attestation-tpm/public-area-cut", .tpm(), .tpmPublicAreaCut)
        .refused(.tpmMalformedPublicArea, "bytes.truncated"),
      RegistrationScenario("attestation-tpm/public-area-of-unknown-type", .tpm(), .tpmPublicAreaOfUnknownType)
        .refused(.tpmMalformedPublicArea, "bytes.trailing"),
      RegistrationScenario("attestation-tpm/public-area-of-unknown-hash", .tpm(), .tpmPublicAreaOfUnknownHash)
        .refused(.unsupportedAlgorithm),
      RegistrationScenario("attestation-tpm/public-area-of-another-key", .tpm(), .tpmPublicAreaOfAnotherKey)
        .refused(.publicKeyMismatch),
      RegistrationScenario("attestation-tpm/made-outside", .tpm(), .tpmMagic).refused(.tpmMagic),
      RegistrationScenario("attestation-tpm/quote", .tpm(), .tpmQuote).refused(.tpmStructureType),
      RegistrationScenario("attestation-tpm/certify-info-cut", .tpm(), .tpmClockCut)
        .refused(.tpmMalformedCertifyInfo, "bytes.truncated"),
      RegistrationScenario("attestation-tpm/in-another-ceremony", .tpm(), .tpmExtraData)
        .refused(.tpmExtraDataMismatch),
      RegistrationScenario("attestation-tpm/for-another-key", .tpm(), .tpmName).refused(.tpmNameMismatch),
    ]
  }

  /// Violations of the certificate requirements (§8.3.1).
  private static var certificate: [RegistrationScenario] {
    [
      RegistrationScenario("attestation-tpm/certificate-of-version-1", .tpm(), .certificateOfVersion1)
        .refused(.certificateVersion),
      RegistrationScenario("attestation-tpm/certificate-with-subject", .tpm(), .subjectNotEmpty)
        .refused(.certificateSubject),
      RegistrationScenario("attestation-tpm/certificate-without-name", .tpm(), .alternativeNameMissing)
        .refused(.certificateAlternativeName),
      RegistrationScenario("attestation-tpm/certificate-with-host", .tpm(), .alternativeNameOfAHost)
        .refused(.certificateAlternativeName),
      RegistrationScenario("attestation-tpm/certificate-without-maker", .tpm(), .alternativeNameWithoutMaker)
        .refused(.certificateAlternativeName),
      RegistrationScenario("attestation-tpm/certificate-with-malformed-name", .tpm(), .alternativeNameMalformed)
        .refused(.certificateAlternativeName, "der.length-exceeds-input"),
      RegistrationScenario("attestation-tpm/certificate-without-purpose", .tpm(), .purposeMissing)
        .refused(.certificatePurpose),
      RegistrationScenario("attestation-tpm/certificate-of-another-purpose", .tpm(), .purposeOfAnother)
        .refused(.certificatePurpose),
      RegistrationScenario("attestation-tpm/certificate-of-an-authority", .tpm(), .certificateOfAnAuthority)
        .refused(.certificateIsAuthority),
      RegistrationScenario("attestation-tpm/model-of-another", .tpm(), .modelOfAnother).refused(.aaguidMismatch),
    ]
  }
}
