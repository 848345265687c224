// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAttestation
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// Apple's anonymous attestation (WebAuthn §8.8).
enum AppleScenarios {
  static var all: [RegistrationScenario] {
    [
      RegistrationScenario("attestation-apple/plain", .apple),
      RegistrationScenario("attestation-apple/with-algorithm", .apple)
        .modifying { (draft: inout StatementDraft) in draft["alg"] = -7 },
      RegistrationScenario("attestation-apple/without-x5c", .apple, .statementWithout("x5c", in: .apple))
        .refused(.malformedStatement, "cbor.missing-key"),
      RegistrationScenario("attestation-apple/certificate-malformed", .apple, .certificateMalformed(in: .apple))
        .refused(.malformedCertificate, "certificate.malformed", "der.length-exceeds-input"),
      RegistrationScenario("attestation-apple/without-nonce", .apple, .nonceMissing).refused(.missingExtension),
      RegistrationScenario("attestation-apple/nonce-not-wrapped", .apple, .nonceNotWrapped)
        .refused(.malformedExtension, "der.unexpected-tag"),
      RegistrationScenario("attestation-apple/in-another-ceremony", .apple, .attestedInAnotherCeremony)
        .refused(.nonceMismatch),
      RegistrationScenario("attestation-apple/for-another-key", .apple, .certificateForAnotherKey)
        .refused(.publicKeyMismatch),
    ]
  }
}
