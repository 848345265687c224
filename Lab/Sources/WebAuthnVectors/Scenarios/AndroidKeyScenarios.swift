// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import WebAuthnAttestation
internal import WebAuthnAuthenticator
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// Attestation by Android's key store (WebAuthn §8.4).
enum AndroidKeyScenarios {
  static var all: [RegistrationScenario] {
    valid + statement + description + device + RevocationScenarios.statusLists
  }

  private static var valid: [RegistrationScenario] {
    [
      RegistrationScenario("attestation-android-key/by-the-trusted-environment", .androidKey),
      RegistrationScenario("attestation-android-key/by-software", .androidKey)
        .modifying { (description: inout AndroidKeyDescription) in description.moveToSoftware() },
      RegistrationScenario("attestation-android-key/by-both", .androidKey)
        .modifying { (description: inout AndroidKeyDescription) in
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
      RegistrationScenario(
        "attestation-android-key/signature-spoilt", .androidKey, .signatureBitFlipped(in: .androidKey)
      )
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
        .modifying { (description: inout AndroidKeyDescription) in description.moveToSoftware() }
        .configuring { $0.policy.androidKeyAuthorizations = .trustedEnvironmentOnly }
        .refused(.androidKeyOrigin, because: "the trusted environment does not report the origin of the key"),
    ]
  }
}

extension AndroidKeyScenarios {
  /// Policies about the key store and the state of the device.
  private static var device: [RegistrationScenario] {
    [
      RegistrationScenario("attestation-android-key/booted-as-required", .androidKey)
        .modifying { (description: inout AndroidKeyDescription) in description.describeBoot() }
        .configuring { (settings) in
          settings.policy.androidKeyAuthorizations = .trustedEnvironmentOnly
          settings.policy.androidVerifiedBoot = [.verified]
          settings.policy.androidOSPatchLevel = 202_505
        },
      RegistrationScenario("attestation-android-key/booted-unverified", .androidKey)
        .modifying { (description: inout AndroidKeyDescription) in
          description.describeBoot()
          description.trustedEnvironmentEnforced.rootOfTrust?.verifiedBootState = 2
        }
        .configuring { $0.policy.androidVerifiedBoot = [.verified] }
        .notAcceptable(.androidVerifiedBoot, because: "the verified boot state is unverified"),
      RegistrationScenario("attestation-android-key/boot-not-told", .androidKey)
        .configuring { $0.policy.androidVerifiedBoot = [.verified, .selfSigned] }
        .notAcceptable(.androidVerifiedBoot, because: "the key description has no verified boot state"),
      RegistrationScenario("attestation-android-key/patches-too-old", .androidKey)
        .modifying { (description: inout AndroidKeyDescription) in description.describeBoot() }
        .configuring { $0.policy.androidOSPatchLevel = 202_506 }
        .notAcceptable(.androidPatchLevel, because: "the OS patch level is too old"),
      RegistrationScenario("attestation-android-key/attested-by-software", .androidKey)
        .modifying { (description: inout AndroidKeyDescription) in description.attestationSecurityLevel = 0 }
        .configuring { $0.policy.androidKeyAuthorizations = .trustedEnvironmentOnly }
        .notAcceptable(.androidSecurityLevel, because: "software made the attestation, not the trusted environment"),
      RegistrationScenario("attestation-android-key/kept-by-software", .androidKey)
        .modifying { (description: inout AndroidKeyDescription) in description.keyMintSecurityLevel = 0 }
        .configuring { $0.policy.androidKeyAuthorizations = .trustedEnvironmentOnly }
        .notAcceptable(.androidSecurityLevel, because: "software stores the key, not the trusted environment"),
      RegistrationScenario("attestation-android-key/forged-below-another-key", .androidKeyForged)
        .configuring { $0.policy.androidKeyAuthorizations = .trustedEnvironmentOnly }
        .refused(.androidIssuerDescription, because: "a key that was imported into the key store certified the key"),
    ]
  }
}

extension AndroidKeyDescription {
  /// Describes a device with verified boot and the patch level of May 2025.
  fileprivate mutating func describeBoot() {
    trustedEnvironmentEnforced.rootOfTrust = .init(verifiedBootKey: [UInt8](repeating: 0xb0, count: 32))
    trustedEnvironmentEnforced.osPatchLevel = 202_505
  }

  /// Moves the authorizations of the trusted environment to the software.
  fileprivate mutating func moveToSoftware() {
    softwareEnforced = trustedEnvironmentEnforced
    trustedEnvironmentEnforced = AndroidAuthorizationList()
  }
}
