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

/// Packed attestation (WebAuthn §8.2).
enum PackedScenarios {
  private static let packed = RegistrationGroup("attestation-packed/", .packed())
  private static let selfSigned = RegistrationGroup("attestation-packed/self-", .selfSigned)

  static var all: [RegistrationScenario] { selfAttestation + valid + statement + certificate }

  private static var selfAttestation: [RegistrationScenario] {
    [
      packed("self", by: .selfSigned),
      selfSigned("with-anchors")
        .configuring { (settings) throws(PasskeyCryptoError) in
          settings.trustAnchors = [try VectorAuthorities.rootCertificate()]
        },
      selfSigned("signature-spoilt", .signatureBitFlipped(in: .packed))
        .refused(.invalidSignature, "crypto.invalid-signature"),
      selfSigned("in-another-ceremony", .attestedInAnotherCeremony)
        .refused(.invalidSignature, "crypto.invalid-signature"),
      selfSigned("by-another-key", .attestedForAnotherKey).refused(.invalidSignature, "crypto.invalid-signature"),
      selfSigned("of-another-algorithm", .algorithmOfAnotherKey(in: .packed)).refused(.algorithmMismatch),
      selfSigned("of-legacy-algorithm", .algorithmLegacy(in: .packed)).refused(.legacyHash),
      selfSigned("of-ecdaa", .ecdaaStatement).refused(.unsupportedAlgorithm),
      selfSigned("not-acceptable")
        .configuring { $0.policy.attestationTrust = [.none, .anchored] }
        .notAcceptable(.selfNotAcceptable, because: "the relying party does not accept self attestation"),
    ]
  }

  private static var valid: [RegistrationScenario] {
    let algorithms: [COSEAlgorithm] = [.es256, .es384, .es512, .es256k, .eddsa, .ed448, .rs256, .ps256]
    return algorithms.map { (algorithm) in
      packed("basic-by-\(algorithm)", by: .packed(algorithm))
    } + [
      packed("through-an-intermediate", by: .packed(.es256, .intermediate)),
      packed("for-a-credential-of-ed25519", for: .eddsa),
      packed("without-model")
        .modifying(CertificateMaker.self) { $0.extensions.removeLast() },
      packed("with-firmware-version")
        .modifying(CertificateMaker.self) { (certificate) in
          certificate.extensions.append(.making([1, 3, 6, 1, 4, 1, 45724, 1, 1, 5]) { $0.writeInteger(42) })
        },
      packed("with-enterprise-serial-number")
        .modifying(CertificateMaker.self) { (certificate) in
          certificate.extensions.append(
            .making([1, 3, 6, 1, 4, 1, 45724, 1, 1, 2]) { $0.writeOctetString([1, 2, 3]) })
        },
    ]
  }

  private static var statement: [RegistrationScenario] {
    [
      packed("without-algorithm", .statementWithout("alg", in: .packed))
        .refused(.malformedStatement, "cbor.missing-key"),
      packed("without-signature", .statementWithout("sig", in: .packed))
        .refused(.malformedStatement, "cbor.missing-key"),
      packed("certificates-no-list", .statementWithBoolean(for: "x5c", in: .packed))
        .refused(.malformedStatement, "cbor.wrong-type"),
      packed("certificates-empty", .certificatesEmpty(in: .packed)).refused(.malformedStatement),
      packed("certificates-too-many", .certificatesTooMany(in: .packed)).refused(.certificateCount),
      packed("certificates-left-out", .certificatesLeftOut(in: .packed))
        .refused(.invalidSignature, "crypto.invalid-signature"),
      packed("certificate-malformed", .certificateMalformed(in: .packed))
        .refused(.malformedCertificate, "certificate.malformed", "der.length-exceeds-input"),
      packed("algorithm-unknown", .algorithmUnknown(in: .packed))
        .refused(.unsupportedAlgorithm, "crypto.unsupported-algorithm"),
      packed("algorithm-of-another-key", .algorithmOfAnotherKey(in: .packed))
        .refused(.algorithmMismatch, "crypto.key-mismatch"),
      packed("algorithm-legacy", .algorithmLegacy(in: .packed)).refused(.legacyHash),
      packed("signature-spoilt", .signatureBitFlipped(in: .packed))
        .refused(.invalidSignature, "crypto.invalid-signature"),
      packed("signature-cut", .signatureCut(in: .packed)).refused(.invalidSignature, "crypto.invalid-signature"),
      packed("in-another-ceremony", .attestedInAnotherCeremony).refused(.invalidSignature, "crypto.invalid-signature"),
      packed("certificate-of-another-key", .certificateForAnotherKey)
        .refused(.invalidSignature, "crypto.invalid-signature"),
    ]
  }

  /// Violations of the certificate requirements (§8.2.1).
  private static var certificate: [RegistrationScenario] {
    [
      packed("certificate-of-version-1", .certificateOfVersion1).refused(.certificateVersion),
      packed("certificate-without-country", .certificateWithoutCountry).refused(.certificateSubject),
      packed("certificate-with-long-country", .certificateWithLongCountry).refused(.certificateSubject),
      packed("certificate-without-organization", .certificateWithoutOrganization).refused(.certificateSubject),
      packed("certificate-of-another-unit", .certificateOfAnotherUnit).refused(.certificateSubject),
      packed("certificate-without-common-name", .certificateWithoutCommonName).refused(.certificateSubject),
      packed("certificate-of-an-authority", .certificateOfAnAuthority).refused(.certificateIsAuthority),
      packed("without-basic-constraints", .basicConstraintsMissing).refused(.certificateIsAuthority),
      packed("certificate-of-android-key-store", .certificateOfAndroidKeyStore).refused(.foreignExtension),
      packed("issued-by-android-key", by: .packed(.es256, .intermediateWithKeyDescription))
        .refused(.foreignExtension, because: "a key of Android's key store issued the attestation certificate"),
      packed("certificate-of-apple", .certificateOfApple).refused(.foreignExtension),
      packed("certificate-of-a-web-server", .certificateOfAWebServer).refused(.certificatePurpose),
      packed("certificate-of-a-web-client", .certificateOfAWebClient).refused(.certificatePurpose),
      packed("certificate-of-mail", .certificateOfMail).refused(.certificatePurpose),
      packed("firmware-version-critical", .firmwareVersionCritical).refused(.criticalExtension),
      packed("firmware-version-negative", .firmwareVersionNegative)
        .refused(.malformedExtension, "der.integer-out-of-range"),
      packed("serial-number-critical", .serialNumberCritical).refused(.criticalExtension),
      packed("serial-number-not-wrapped", .serialNumberNotWrapped)
        .refused(.malformedExtension, "der.length-exceeds-input"),
      packed("model-of-another", .modelOfAnother).refused(.aaguidMismatch),
      packed("model-critical", .modelCritical).refused(.criticalExtension),
      packed("model-not-wrapped", .modelNotWrapped).refused(.malformedExtension, "der.length-exceeds-input"),
      packed("model-too-short", .modelTooShort).refused(.malformedExtension),
    ]
  }
}
