// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import WebAuthnAttestation
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// Attestation by Google's SafetyNet (WebAuthn §8.5).
enum SafetyNetScenarios {
  static var all: [RegistrationScenario] {
    let kind = AttestationKind.androidSafetyNet(.es256)
    return [
      RegistrationScenario("attestation-android-safetynet/by-rs256", .androidSafetyNet(.rs256)),
      RegistrationScenario("attestation-android-safetynet/by-es256", kind),
      RegistrationScenario(
        "attestation-android-safetynet/without-version", kind, .statementWithout("ver", in: .androidSafetyNet)
      )
      .refused(.malformedStatement, "cbor.missing-key"),
      RegistrationScenario("attestation-android-safetynet/version-empty", kind, .safetyNetVersionEmpty)
        .refused(.malformedStatement),
      RegistrationScenario(
        "attestation-android-safetynet/without-response", kind, .statementWithout("response", in: .androidSafetyNet)
      )
      .refused(.malformedStatement, "cbor.missing-key"),
      RegistrationScenario("attestation-android-safetynet/response-cut", kind, .safetyNetResponseCut)
        .refused(.safetyNetMalformedResponse),
      RegistrationScenario("attestation-android-safetynet/signature-of-zeros", kind, .safetyNetSignature)
        .refused(.invalidSignature),
      RegistrationScenario("attestation-android-safetynet/certificate-of-another-key", kind, .certificateForAnotherKey)
        .refused(.invalidSignature, "crypto.invalid-signature"),
      RegistrationScenario("attestation-android-safetynet/host-of-another", kind, .hostOfAnother)
        .refused(.safetyNetHostName),
      RegistrationScenario("attestation-android-safetynet/in-another-ceremony", kind, .safetyNetNonce)
        .refused(.nonceMismatch),
      RegistrationScenario("attestation-android-safetynet/profile", kind, .safetyNetProfile)
        .refused(.safetyNetProfile),
      RegistrationScenario("attestation-android-safetynet/too-old", kind, .safetyNetTooOld).refused(.safetyNetTime),
      RegistrationScenario("attestation-android-safetynet/in-the-future", kind, .safetyNetInFuture)
        .refused(.safetyNetTime),
    ]
  }
}
