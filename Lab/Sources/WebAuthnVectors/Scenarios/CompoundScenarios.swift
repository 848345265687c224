// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import WebAuthnAttestation
internal import WebAuthnInspection
internal import WebAuthnRelyingParty

/// Compound attestation statements (WebAuthn §8.9).
enum CompoundScenarios {
  static var all: [RegistrationScenario] {
    let two = AttestationKind.compound([.packed(), .tpm()])
    let withNone = AttestationKind.compound([.selfSigned, .none])
    return [
      RegistrationScenario("attestation-compound/packed-and-tpm", two),
      RegistrationScenario("attestation-compound/apple-and-android-key", .compound([.apple, .androidKey])),
      RegistrationScenario("attestation-compound/one-of-two-holds", two, .tpmMagic)
        .configuring { $0.policy.compound = .any },
      RegistrationScenario("attestation-compound/one-of-two-fails", two, .tpmMagic).refused(.tpmMagic),
      RegistrationScenario("attestation-compound/none-of-two-holds", two, .attestedInAnotherCeremony, .tpmMagic)
        .configuring { $0.policy.compound = .any }
        .refused(.compoundNoneHolds),
      RegistrationScenario("attestation-compound/one-member", two, .compoundOfOne).refused(.compoundMemberCount),
      RegistrationScenario("attestation-compound/nine-members", two, .compoundOfNine).refused(.compoundMemberCount),
      RegistrationScenario("attestation-compound/nested", withNone, .compoundNested).refused(.compoundNested),
      RegistrationScenario("attestation-compound/unknown-format", withNone, .compoundOfUnknown)
        .refused(.unsupportedFormat),
      RegistrationScenario("attestation-compound/without-format", withNone, .compoundWithoutFormat)
        .refused(.malformedStatement, "cbor.missing-key"),
      RegistrationScenario("attestation-compound/member-not-a-map", withNone, .compoundNotAMap)
        .refused(.malformedStatement, "cbor.wrong-type"),
    ]
  }
}
