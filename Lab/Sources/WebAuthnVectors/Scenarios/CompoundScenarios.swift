// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyTesting
internal import WebAuthnAttestation
internal import WebAuthnInspection
internal import WebAuthnRelyingParty

/// Compound attestation statements (WebAuthn §8.9).
enum CompoundScenarios {
  private static let packedAndTPM = RegistrationGroup("attestation-compound/", .compound([.packed(), .tpm()]))
  private static let selfAndNone = RegistrationGroup("attestation-compound/", .compound([.selfSigned, .none]))

  static var all: [RegistrationScenario] {
    [
      packedAndTPM("packed-and-tpm"),
      packedAndTPM("apple-and-android-key", by: .compound([.apple, .androidKey])),
      packedAndTPM("one-of-two-holds", .tpmMagic).configuring { $0.policy.compound = .any },
      packedAndTPM("one-of-two-fails", .tpmMagic).refused(.tpmMagic),
      packedAndTPM("none-of-two-holds", .attestedInAnotherCeremony, .tpmMagic)
        .configuring { $0.policy.compound = .any }
        .refused(.compoundNoneHolds),
      packedAndTPM("one-member", .compoundOfOne).refused(.compoundMemberCount),
      packedAndTPM("nine-members", .compoundOfNine).refused(.compoundMemberCount),
      selfAndNone("nested", .compoundNested).refused(.compoundNested),
      selfAndNone("unknown-format", .compoundOfUnknown).refused(.unsupportedFormat),
      selfAndNone("without-format", .compoundWithoutFormat).refused(.malformedStatement, "cbor.missing-key"),
      selfAndNone("member-not-a-map", .compoundNotAMap).refused(.malformedStatement, "cbor.wrong-type"),
    ]
  }
}
