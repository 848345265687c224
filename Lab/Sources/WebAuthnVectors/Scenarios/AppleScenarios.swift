// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyTesting
internal import WebAuthnAttestation
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// Apple's anonymous attestation (WebAuthn §8.8).
enum AppleScenarios {
  private static let apple = RegistrationGroup("attestation-apple/", .apple)

  static var all: [RegistrationScenario] {
    [
      apple("plain"),
      apple("with-algorithm").modifying(StatementDraft.self) { $0["alg"] = -7 },
      apple("without-x5c", .statementWithout("x5c", in: .apple)).refused(.malformedStatement, "cbor.missing-key"),
      apple("certificate-malformed", .certificateMalformed(in: .apple))
        .refused(.malformedCertificate, "certificate.malformed", "der.length-exceeds-input"),
      apple("without-nonce", .nonceMissing).refused(.missingExtension),
      apple("nonce-not-wrapped", .nonceNotWrapped).refused(.malformedExtension, "der.unexpected-tag"),
      apple("in-another-ceremony", .attestedInAnotherCeremony).refused(.nonceMismatch),
      apple("for-another-key", .certificateForAnotherKey).refused(.publicKeyMismatch),
    ]
  }
}
