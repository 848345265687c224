// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import WebAuthnAttestation
internal import WebAuthnAuthenticator
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// Attestation by U2F security keys (WebAuthn §8.6).
enum FIDOU2FScenarios {
  static var all: [RegistrationScenario] { cases.map(\.withoutModel) + named }

  private static var cases: [RegistrationScenario] {
    [
      RegistrationScenario("attestation-fido-u2f/plain", .fidoU2F),
      RegistrationScenario("attestation-fido-u2f/without-sig", .fidoU2F, .statementWithout("sig", in: .fidoU2F))
        .refused(.malformedStatement, "cbor.missing-key"),
      RegistrationScenario("attestation-fido-u2f/without-x5c", .fidoU2F, .statementWithout("x5c", in: .fidoU2F))
        .refused(.malformedStatement, "cbor.missing-key"),
      RegistrationScenario("attestation-fido-u2f/two-certificates", .fidoU2F, .certificateTwice(in: .fidoU2F))
        .refused(.certificateCount),
      RegistrationScenario("attestation-fido-u2f/signature-spoilt", .fidoU2F, .signatureBitFlipped(in: .fidoU2F))
        .refused(.invalidSignature, "crypto.invalid-signature"),
      RegistrationScenario("attestation-fido-u2f/in-another-ceremony", .fidoU2F, .attestedInAnotherCeremony)
        .refused(.invalidSignature, "crypto.invalid-signature"),
      RegistrationScenario("attestation-fido-u2f/for-another-key", .fidoU2F, .attestedForAnotherKey)
        .refused(.invalidSignature, "crypto.invalid-signature"),
      RegistrationScenario("attestation-fido-u2f/certificate-on-another-curve", .fidoU2F, .certificateOnAnotherCurve)
        .refused(.algorithmMismatch, "crypto.key-mismatch"),
      RegistrationScenario("attestation-fido-u2f/credential-of-another-algorithm", .esp256, .fidoU2F)
        .refused(.algorithmMismatch, because: "U2F supports only ES256"),
      RegistrationScenario(
        "attestation-fido-u2f/certificate-of-android-key-store", .fidoU2F, .certificateOfAndroidKeyStore
      )
      .refused(.foreignExtension),
      RegistrationScenario("attestation-fido-u2f/certificate-of-a-tpm", .fidoU2F, .certificateOfATPM)
        .refused(.certificatePurpose),
    ]
  }

  /// Authenticator data with an AAGUID, which the U2F signature does not cover.
  private static var named: [RegistrationScenario] {
    [
      RegistrationScenario("attestation-fido-u2f/with-model", .fidoU2F)
        .refused(.aaguidNotZero, because: "the authenticator data have an AAGUID, which no signature covers")
    ]
  }
}

extension RegistrationScenario {
  /// The scenario without an AAGUID, because U2F has none.
  fileprivate var withoutModel: Self {
    modifying { (data: inout AuthenticatorDataDraft) in data.credential?.aaguid = .zero }
      .modifying { (certificate: inout CertificateMaker) in certificate.extensions.removeLast() }
  }
}
