// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyTesting
internal import WebAuthnAttestation
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// No attestation (WebAuthn §8.7).
enum NoneScenarios {
  private static let none = RegistrationGroup("attestation-none/")

  static var all: [RegistrationScenario] {
    [
      none("plain"),
      none("with-anchors")
        .configuring { (settings) throws(PasskeyCryptoError) in
          settings.trustAnchors = [try VectorAuthorities.rootCertificate()]
        },
      none("statement-not-empty", .statementNotEmpty(.none)).refused(.statementNotEmpty),
      none("not-acceptable")
        .configuring { $0.policy.attestationTrust = [.self, .anchored] }
        .notAcceptable(.noneNotAcceptable, because: "the relying party requires an attestation"),
    ]
  }
}
