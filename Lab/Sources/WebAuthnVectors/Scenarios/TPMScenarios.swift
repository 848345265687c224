// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyTesting
internal import WebAuthnAttestation
internal import WebAuthnAuthenticator
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// Attestation by a Trusted Platform Module (WebAuthn §8.3).
enum TPMScenarios {
  private static let tpm = RegistrationGroup("attestation-tpm/", .tpm())

  static var all: [RegistrationScenario] { valid + statement + structures + certificate }

  private static var valid: [RegistrationScenario] {
    [
      tpm("ecc-by-es256"),
      tpm("ecc-p384-by-es384", for: .es384, by: .tpm(.es384)),
      tpm("rsa-by-rs256", for: .rs256, by: .tpm(.rs256)),
      tpm("rsa-by-ps256", for: .ps256, by: .tpm(.ps256)),
      tpm("rsa-by-rs1", for: .rs256, by: .tpm(.rs1)),
      tpm("names-in-three-parts")
        .modifying(CertificateMaker.self) { (certificate) in
          certificate.extensions[5] = .subjectAlternativeName(
            directory: CertificateName(
              .init([2, 23, 133, 2, 3], "id:00020000"), .init([2, 23, 133, 2, 1], "id:FFFFF1D0"),
              .init([2, 23, 133, 2, 2], "Passkey Vectors")))
        },
    ]
  }

  private static var statement: [RegistrationScenario] {
    ["ver", "alg", "sig", "x5c", "certInfo", "pubArea"].map { (name) in
      tpm("without-\(name)", .statementWithout(name, in: .tpm)).refused(.malformedStatement, "cbor.missing-key")
    } + [
      tpm("of-version-1", .tpmOfVersion1).refused(.tpmVersion),
      tpm("algorithm-unknown", .algorithmUnknown(in: .tpm)).refused(.unsupportedAlgorithm),
      tpm("algorithm-of-another-key", .algorithmOfAnotherKey(in: .tpm))
        .refused(.algorithmMismatch, "crypto.key-mismatch"),
      tpm("legacy-hash-refused", for: .rs256, by: .tpm(.rs1))
        .configuring { $0.policy.legacyHash = .inNoFormat }
        .refused(.legacyHash, because: "the relying party does not accept signatures over SHA-1"),
      tpm("signature-spoilt", .signatureBitFlipped(in: .tpm)).refused(.invalidSignature, "crypto.invalid-signature"),
      tpm("certificate-of-another-key", .certificateForAnotherKey)
        .refused(.invalidSignature, "crypto.invalid-signature"),
    ]
  }

  private static var structures: [RegistrationScenario] {
    [
      tpm("public-area-cut", .tpmPublicAreaCut).refused(.tpmMalformedPublicArea, "bytes.truncated"),
      tpm("public-area-of-unknown-type", .tpmPublicAreaOfUnknownType)
        .refused(.tpmMalformedPublicArea, "bytes.trailing"),
      tpm("public-area-of-unknown-hash", .tpmPublicAreaOfUnknownHash).refused(.unsupportedAlgorithm),
      tpm("public-area-of-another-key", .tpmPublicAreaOfAnotherKey).refused(.publicKeyMismatch),
      tpm("made-outside", .tpmMagic).refused(.tpmMagic),
      tpm("quote", .tpmQuote).refused(.tpmStructureType),
      tpm("certify-info-cut", .tpmClockCut).refused(.tpmMalformedCertifyInfo, "bytes.truncated"),
      tpm("in-another-ceremony", .tpmExtraData).refused(.tpmExtraDataMismatch),
      tpm("for-another-key", .tpmName).refused(.tpmNameMismatch),
    ]
  }

  /// Violations of the certificate requirements (§8.3.1).
  private static var certificate: [RegistrationScenario] {
    [
      tpm("certificate-of-version-1", .certificateOfVersion1).refused(.certificateVersion),
      tpm("certificate-with-subject", .subjectNotEmpty).refused(.certificateSubject),
      tpm("certificate-without-name", .alternativeNameMissing).refused(.certificateAlternativeName),
      tpm("certificate-with-host", .alternativeNameOfAHost).refused(.certificateAlternativeName),
      tpm("certificate-without-maker", .alternativeNameWithoutMaker).refused(.certificateAlternativeName),
      tpm("certificate-with-malformed-name", .alternativeNameMalformed)
        .refused(.certificateAlternativeName, "der.length-exceeds-input"),
      tpm("certificate-without-purpose", .purposeMissing).refused(.certificatePurpose),
      tpm("certificate-of-another-purpose", .purposeOfAnother).refused(.certificatePurpose),
      tpm("certificate-of-an-authority", .certificateOfAnAuthority).refused(.certificateIsAuthority),
      tpm("model-of-another", .modelOfAnother).refused(.aaguidMismatch),
    ]
  }
}
