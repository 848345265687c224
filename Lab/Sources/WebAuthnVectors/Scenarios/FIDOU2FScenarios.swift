// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyTesting
internal import WebAuthnAttestation
internal import WebAuthnAuthenticator
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// Attestation by U2F security keys (WebAuthn §8.6).
enum FIDOU2FScenarios {
  private static let u2f = RegistrationGroup("attestation-fido-u2f/", .fidoU2F)

  static var all: [RegistrationScenario] { cases.map(\.withoutModel) + named }

  private static var cases: [RegistrationScenario] {
    [
      u2f("plain"),
      u2f("without-sig", .statementWithout("sig", in: .fidoU2F)).refused(.malformedStatement, "cbor.missing-key"),
      u2f("without-x5c", .statementWithout("x5c", in: .fidoU2F)).refused(.malformedStatement, "cbor.missing-key"),
      u2f("two-certificates", .certificateTwice(in: .fidoU2F)).refused(.certificateCount),
      u2f("signature-spoilt", .signatureBitFlipped(in: .fidoU2F))
        .refused(.invalidSignature, "crypto.invalid-signature"),
      u2f("in-another-ceremony", .attestedInAnotherCeremony).refused(.invalidSignature, "crypto.invalid-signature"),
      u2f("for-another-key", .attestedForAnotherKey).refused(.invalidSignature, "crypto.invalid-signature"),
      u2f("certificate-on-another-curve", .certificateOnAnotherCurve)
        .refused(.algorithmMismatch, "crypto.key-mismatch"),
      u2f("credential-of-another-algorithm", for: .esp256)
        .refused(.algorithmMismatch, because: "U2F supports only ES256"),
      u2f("certificate-of-android-key-store", .certificateOfAndroidKeyStore).refused(.foreignExtension),
      u2f("certificate-of-a-tpm", .certificateOfATPM).refused(.certificatePurpose),
    ]
  }

  /// Authenticator data with an AAGUID, which the U2F signature does not cover.
  private static var named: [RegistrationScenario] {
    [
      u2f("with-model")
        .refused(.aaguidNotZero, because: "the authenticator data have an AAGUID, which no signature covers")
    ]
  }
}

extension RegistrationScenario {
  /// The scenario without an AAGUID, because U2F has none.
  fileprivate var withoutModel: Self {
    modifying(AuthenticatorDataDraft.self) { $0.credential?.aaguid = .zero }
      .modifying(CertificateMaker.self) { $0.extensions.removeLast() }
  }
}
