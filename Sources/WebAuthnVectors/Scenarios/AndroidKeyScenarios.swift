// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import SystemCrypto
internal import WebAuthnAttestation
internal import WebAuthnAuthenticator
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// Attestation by Android's key store (WebAuthn §8.4).
enum AndroidKeyScenarios {
  static var all: [RegistrationScenario] {
    right + statement + description + device + RevocationScenarios.statusLists
  }

  private static var right: [RegistrationScenario] {
    [
      RegistrationScenario("attestation-android-key/by-the-trusted-environment", .androidKey),
      RegistrationScenario("attestation-android-key/by-software", .androidKey)
        .making { (description: inout AndroidKeyDescription) in description.moveToSoftware() },
      RegistrationScenario("attestation-android-key/by-both", .androidKey)
        .making { (description: inout AndroidKeyDescription) in
          description.softwareEnforced = description.trustedEnvironmentEnforced
        },
      RegistrationScenario("attestation-android-key/of-es384", .es384, .androidKey),
      RegistrationScenario("attestation-android-key/of-rs256", .rs256, .androidKey),
    ]
  }

  private static var statement: [RegistrationScenario] {
    ["alg", "sig", "x5c"].map { (name) in
      RegistrationScenario(
        "attestation-android-key/without-\(name)", .androidKey, .statementWithout(name, in: .androidKey)
      )
      .refused(.malformedStatement, "cbor.missing-key")
    } + [
      RegistrationScenario("attestation-android-key/algorithm-legacy", .androidKey, .algorithmLegacy(in: .androidKey))
        .refused(.legacyHash),
      RegistrationScenario("attestation-android-key/signature-spoilt", .androidKey, .signatureSpoilt(in: .androidKey))
        .refused(.invalidSignature, "crypto.invalid-signature"),
      RegistrationScenario("attestation-android-key/for-another-key", .androidKey, .attestedForAnotherKey)
        .refused(.publicKeyMismatch),
    ]
  }

  private static var description: [RegistrationScenario] {
    [
      RegistrationScenario("attestation-android-key/without-description", .androidKey, .keyDescriptionMissing)
        .refused(.missingExtension),
      RegistrationScenario("attestation-android-key/description-malformed", .androidKey, .keyDescriptionMalformed)
        .refused(.malformedExtension, "der.unexpected-tag"),
      RegistrationScenario("attestation-android-key/in-another-ceremony", .androidKey, .androidChallenge)
        .refused(.androidChallengeMismatch),
      RegistrationScenario("attestation-android-key/for-all-applications", .androidKey, .androidAllApplications)
        .refused(.androidAllApplications),
      RegistrationScenario(
        "attestation-android-key/for-all-applications-in-software", .androidKey, .androidAllApplicationsInSoftware
      )
      .refused(.androidAllApplications),
      RegistrationScenario("attestation-android-key/key-imported", .androidKey, .androidKeyImported)
        .refused(.androidKeyOrigin),
      RegistrationScenario("attestation-android-key/origin-missing", .androidKey, .androidOriginMissing)
        .refused(.androidKeyOrigin),
      RegistrationScenario("attestation-android-key/origins-disagree", .androidKey, .androidOriginsDisagree)
        .refused(.androidKeyOrigin),
      RegistrationScenario("attestation-android-key/key-verifies", .androidKey, .androidKeyVerifies)
        .refused(.androidKeyPurpose),
      RegistrationScenario("attestation-android-key/key-encrypts", .androidKey, .androidKeyEncrypts)
        .refused(.androidKeyPurpose),
      RegistrationScenario("attestation-android-key/purpose-missing", .androidKey, .androidPurposeMissing)
        .refused(.androidKeyPurpose),
      RegistrationScenario("attestation-android-key/software-not-believed", .androidKey)
        .making { (description: inout AndroidKeyDescription) in description.moveToSoftware() }
        .demanding { $0.policy.androidKeyAuthorizations = .trustedEnvironmentOnly }
        .refused(.androidKeyOrigin, because: "the trusted environment does not say where the key was made"),
    ]
  }
}

extension AndroidKeyScenarios {
  /// What a policy may require of the key store and the phone.
  private static var device: [RegistrationScenario] {
    [
      RegistrationScenario("attestation-android-key/booted-as-required", .androidKey)
        .making { (description: inout AndroidKeyDescription) in description.describeBoot() }
        .demanding { (terms) in
          terms.policy.androidKeyAuthorizations = .trustedEnvironmentOnly
          terms.policy.androidVerifiedBoot = [.verified]
          terms.policy.androidOSPatchLevel = 202_505
        },
      RegistrationScenario("attestation-android-key/booted-unverified", .androidKey)
        .making { (description: inout AndroidKeyDescription) in
          description.describeBoot()
          description.trustedEnvironmentEnforced.rootOfTrust?.verifiedBootState = 2
        }
        .demanding { $0.policy.androidVerifiedBoot = [.verified] }
        .notAcceptable(.androidVerifiedBoot, because: "the boot loader verified nothing"),
      RegistrationScenario("attestation-android-key/boot-not-told", .androidKey)
        .demanding { $0.policy.androidVerifiedBoot = [.verified, .selfSigned] }
        .notAcceptable(.androidVerifiedBoot, because: "the key store does not say how the phone was booted"),
      RegistrationScenario("attestation-android-key/patches-too-old", .androidKey)
        .making { (description: inout AndroidKeyDescription) in description.describeBoot() }
        .demanding { $0.policy.androidOSPatchLevel = 202_506 }
        .notAcceptable(.androidPatchLevel, because: "the security patches of the phone are too old"),
      RegistrationScenario("attestation-android-key/attested-by-software", .androidKey)
        .making { (description: inout AndroidKeyDescription) in description.attestationSecurityLevel = 0 }
        .demanding { $0.policy.androidKeyAuthorizations = .trustedEnvironmentOnly }
        .notAcceptable(.androidSecurityLevel, because: "software attests to the key, not the trusted environment"),
      RegistrationScenario("attestation-android-key/kept-by-software", .androidKey)
        .making { (description: inout AndroidKeyDescription) in description.keyMintSecurityLevel = 0 }
        .demanding { $0.policy.androidKeyAuthorizations = .trustedEnvironmentOnly }
        .notAcceptable(.androidSecurityLevel, because: "software keeps the key, not the trusted environment"),
      RegistrationScenario("attestation-android-key/forged-below-another-key", .androidKeyForged)
        .demanding { $0.policy.androidKeyAuthorizations = .trustedEnvironmentOnly }
        .refused(.androidIssuerDescription, because: "a key that was imported into the key store certified the key"),
    ]
  }
}

extension AndroidKeyDescription {
  /// Describes a phone that its maker's software has booted, patched in May 2025.
  fileprivate mutating func describeBoot() {
    trustedEnvironmentEnforced.rootOfTrust = .init(verifiedBootKey: [UInt8](repeating: 0xb0, count: 32))
    trustedEnvironmentEnforced.osPatchLevel = 202_505
  }

  /// Has the software hold to what the trusted execution environment held to.
  fileprivate mutating func moveToSoftware() {
    softwareEnforced = trustedEnvironmentEnforced
    trustedEnvironmentEnforced = AndroidAuthorizationList()
  }
}
