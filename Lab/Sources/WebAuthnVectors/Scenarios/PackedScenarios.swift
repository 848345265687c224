// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAttestation
internal import WebAuthnAuthenticator
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// Packed attestation (WebAuthn §8.2).
enum PackedScenarios {
  static var all: [RegistrationScenario] { selfSigned + valid + statement + certificate }

  private static var selfSigned: [RegistrationScenario] {
    [
      RegistrationScenario("attestation-packed/self", .selfSigned),
      RegistrationScenario("attestation-packed/self-with-anchors", .selfSigned)
        .configuring { (settings) throws(PasskeyCryptoError) in
          settings.trustAnchors = [try VectorAuthorities.rootCertificate()]
        },
      RegistrationScenario("attestation-packed/self-signature-spoilt", .selfSigned, .signatureBitFlipped(in: .packed))
        .refused(.invalidSignature, "crypto.invalid-signature"),
      RegistrationScenario("attestation-packed/self-in-another-ceremony", .selfSigned, .attestedInAnotherCeremony)
        .refused(.invalidSignature, "crypto.invalid-signature"),
      RegistrationScenario("attestation-packed/self-by-another-key", .selfSigned, .attestedForAnotherKey)
        .refused(.invalidSignature, "crypto.invalid-signature"),
      RegistrationScenario(
        "attestation-packed/self-of-another-algorithm", .selfSigned, .algorithmOfAnotherKey(in: .packed)
      )
      .refused(.algorithmMismatch),
      RegistrationScenario("attestation-packed/self-of-legacy-algorithm", .selfSigned, .algorithmLegacy(in: .packed))
        .refused(.legacyHash),
      RegistrationScenario("attestation-packed/self-of-ecdaa", .selfSigned, .ecdaaStatement).refused(
        .unsupportedAlgorithm),
      RegistrationScenario("attestation-packed/self-not-acceptable", .selfSigned)
        .configuring { $0.policy.attestationTrust = [.none, .anchored] }
        .notAcceptable(.selfNotAcceptable, because: "the relying party does not accept self attestation"),
    ]
  }

  private static var valid: [RegistrationScenario] {
    let algorithms: [COSEAlgorithm] = [
      .es256, .es384, .es512, .es256k, .eddsa, .ed448, .rs256, .ps256,
    ]
    return algorithms.map { (algorithm) in
      RegistrationScenario("attestation-packed/basic-by-\(algorithm)", .packed(algorithm))
    } + [
      RegistrationScenario("attestation-packed/through-an-intermediate", .packed(.es256, .intermediate)),
      RegistrationScenario("attestation-packed/for-a-credential-of-ed25519", .eddsa, .packed()),
      RegistrationScenario("attestation-packed/without-model", .packed())
        .modifying { (certificate: inout CertificateMaker) in certificate.extensions.removeLast() },
      RegistrationScenario("attestation-packed/with-firmware-version", .packed())
        .modifying { (certificate: inout CertificateMaker) in
          certificate.extensions.append(.making([1, 3, 6, 1, 4, 1, 45724, 1, 1, 5]) { $0.writeInteger(42) })
        },
      RegistrationScenario("attestation-packed/with-enterprise-serial-number", .packed())
        .modifying { (certificate: inout CertificateMaker) in
          certificate.extensions.append(
            .making([1, 3, 6, 1, 4, 1, 45724, 1, 1, 2]) { $0.writeOctetString([1, 2, 3]) })
        },
    ]
  }

  private static var statement: [RegistrationScenario] {
    [
      RegistrationScenario("attestation-packed/without-algorithm", .packed(), .statementWithout("alg", in: .packed))
        .refused(.malformedStatement, "cbor.missing-key"),
      RegistrationScenario("attestation-packed/without-signature", .packed(), .statementWithout("sig", in: .packed))
        .refused(.malformedStatement, "cbor.missing-key"),
      RegistrationScenario(
        "attestation-packed/certificates-no-list", .packed(), .statementWithBoolean(for: "x5c", in: .packed)
      )
      .refused(.malformedStatement, "cbor.wrong-type"),
      RegistrationScenario("attestation-packed/certificates-empty", .packed(), .certificatesEmpty(in: .packed))
        .refused(.malformedStatement),
      RegistrationScenario("attestation-packed/certificates-too-many", .packed(), .certificatesTooMany(in: .packed))
        .refused(.certificateCount),
      RegistrationScenario("attestation-packed/certificates-left-out", .packed(), .certificatesLeftOut(in: .packed))
        .refused(.invalidSignature, "crypto.invalid-signature"),
      RegistrationScenario("attestation-packed/certificate-malformed", .packed(), .certificateMalformed(in: .packed))
        .refused(.malformedCertificate, "certificate.malformed", "der.length-exceeds-input"),
      RegistrationScenario("attestation-packed/algorithm-unknown", .packed(), .algorithmUnknown(in: .packed))
        .refused(.unsupportedAlgorithm, "crypto.unsupported-algorithm"),
      RegistrationScenario(
        "attestation-packed/algorithm-of-another-key", .packed(), .algorithmOfAnotherKey(in: .packed)
      )
      .refused(.algorithmMismatch, "crypto.key-mismatch"),
      RegistrationScenario("attestation-packed/algorithm-legacy", .packed(), .algorithmLegacy(in: .packed))
        .refused(.legacyHash),
      RegistrationScenario("attestation-packed/signature-spoilt", .packed(), .signatureBitFlipped(in: .packed))
        .refused(.invalidSignature, "crypto.invalid-signature"),
      RegistrationScenario("attestation-packed/signature-cut", .packed(), .signatureCut(in: .packed))
        .refused(.invalidSignature, "crypto.invalid-signature"),
      RegistrationScenario("attestation-packed/in-another-ceremony", .packed(), .attestedInAnotherCeremony)
        .refused(.invalidSignature, "crypto.invalid-signature"),
      RegistrationScenario("attestation-packed/certificate-of-another-key", .packed(), .certificateForAnotherKey)
        .refused(.invalidSignature, "crypto.invalid-signature"),
    ]
  }

  /// Violations of the certificate requirements (§8.2.1).
  private static var certificate: [RegistrationScenario] {
    [
      RegistrationScenario("attestation-packed/certificate-of-version-1", .packed(), .certificateOfVersion1)
        .refused(.certificateVersion),
      RegistrationScenario("attestation-packed/certificate-without-country", .packed(), .certificateWithoutCountry)
        .refused(.certificateSubject),
      RegistrationScenario("attestation-packed/certificate-with-long-country", .packed(), .certificateWithLongCountry)
        .refused(.certificateSubject),
      RegistrationScenario(
        "attestation-packed/certificate-without-organization", .packed(), .certificateWithoutOrganization
      )
      .refused(.certificateSubject),
      RegistrationScenario("attestation-packed/certificate-of-another-unit", .packed(), .certificateOfAnotherUnit)
        .refused(.certificateSubject),
      RegistrationScenario(
        "attestation-packed/certificate-without-common-name", .packed(), .certificateWithoutCommonName
      )
      .refused(.certificateSubject),
      RegistrationScenario("attestation-packed/certificate-of-an-authority", .packed(), .certificateOfAnAuthority)
        .refused(.certificateIsAuthority),
      RegistrationScenario("attestation-packed/without-basic-constraints", .packed(), .basicConstraintsMissing)
        .refused(.certificateIsAuthority),
      RegistrationScenario(
        "attestation-packed/certificate-of-android-key-store", .packed(), .certificateOfAndroidKeyStore
      )
      .refused(.foreignExtension),
      RegistrationScenario("attestation-packed/issued-by-android-key", .packed(.es256, .intermediateWithKeyDescription))
        .refused(.foreignExtension, because: "a key of Android's key store issued the attestation certificate"),
      RegistrationScenario("attestation-packed/certificate-of-apple", .packed(), .certificateOfApple)
        .refused(.foreignExtension),
      RegistrationScenario("attestation-packed/certificate-of-a-web-server", .packed(), .certificateOfAWebServer)
        .refused(.certificatePurpose),
      RegistrationScenario("attestation-packed/certificate-of-a-web-client", .packed(), .certificateOfAWebClient)
        .refused(.certificatePurpose),
      RegistrationScenario("attestation-packed/certificate-of-mail", .packed(), .certificateOfMail)
        .refused(.certificatePurpose),
      RegistrationScenario("attestation-packed/firmware-version-critical", .packed(), .firmwareVersionCritical)
        .refused(.criticalExtension),
      RegistrationScenario("attestation-packed/firmware-version-negative", .packed(), .firmwareVersionNegative)
        .refused(.malformedExtension, "der.integer-out-of-range"),
      RegistrationScenario("attestation-packed/serial-number-critical", .packed(), .serialNumberCritical)
        .refused(.criticalExtension),
      RegistrationScenario("attestation-packed/serial-number-not-wrapped", .packed(), .serialNumberNotWrapped)
        .refused(.malformedExtension, "der.length-exceeds-input"),
      RegistrationScenario("attestation-packed/model-of-another", .packed(), .modelOfAnother)
        .refused(.aaguidMismatch),
      RegistrationScenario("attestation-packed/model-critical", .packed(), .modelCritical)
        .refused(.criticalExtension),
      RegistrationScenario("attestation-packed/model-not-wrapped", .packed(), .modelNotWrapped)
        .refused(.malformedExtension, "der.length-exceeds-input"),
      RegistrationScenario("attestation-packed/model-too-short", .packed(), .modelTooShort)
        .refused(.malformedExtension),
    ]
  }
}
