// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyTesting
internal import WebAuthnAttestation
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// Attestation by Google's SafetyNet (WebAuthn §8.5).
enum SafetyNetScenarios {
  private static let safetyNet = RegistrationGroup("attestation-android-safetynet/", .androidSafetyNet(.es256))

  static var all: [RegistrationScenario] {
    [
      safetyNet("by-rs256", by: .androidSafetyNet(.rs256)),
      safetyNet("by-es256"),
      safetyNet("without-version", .statementWithout("ver", in: .androidSafetyNet))
        .refused(.malformedStatement, "cbor.missing-key"),
      safetyNet("version-empty", .safetyNetVersionEmpty).refused(.malformedStatement),
      safetyNet("without-response", .statementWithout("response", in: .androidSafetyNet))
        .refused(.malformedStatement, "cbor.missing-key"),
      safetyNet("response-cut", .safetyNetResponseCut).refused(.safetyNetMalformedResponse),
      safetyNet("signature-of-zeros", .safetyNetSignature).refused(.invalidSignature),
      safetyNet("certificate-of-another-key", .certificateForAnotherKey)
        .refused(.invalidSignature, "crypto.invalid-signature"),
      safetyNet("host-of-another", .hostOfAnother).refused(.safetyNetHostName),
      safetyNet("in-another-ceremony", .safetyNetNonce).refused(.nonceMismatch),
      safetyNet("profile", .safetyNetProfile).refused(.safetyNetProfile),
      safetyNet("too-old", .safetyNetTooOld).refused(.safetyNetTime),
      safetyNet("in-the-future", .safetyNetInFuture).refused(.safetyNetTime),
    ]
  }
}
