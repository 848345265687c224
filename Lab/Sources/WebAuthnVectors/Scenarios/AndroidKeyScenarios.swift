// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyTesting
internal import WebAuthnAttestation
internal import WebAuthnAuthenticator
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// Attestation by Android's key store (WebAuthn §8.4).
enum AndroidKeyScenarios {
  static let androidKey = RegistrationGroup("attestation-android-key/", .androidKey)

  static var all: [RegistrationScenario] {
    valid + statement + description + device + RevocationScenarios.statusLists
  }

  private static var valid: [RegistrationScenario] {
    [
      androidKey("by-the-trusted-environment"),
      androidKey("by-software")
        .modifying(AndroidKeyDescription.self) { $0.moveToSoftware() },
      androidKey("by-both")
        .modifying(AndroidKeyDescription.self) { $0.softwareEnforced = $0.trustedEnvironmentEnforced },
      androidKey("of-es384", for: .es384),
      androidKey("of-rs256", for: .rs256),
    ]
  }

  private static var statement: [RegistrationScenario] {
    ["alg", "sig", "x5c"].map { (name) in
      androidKey("without-\(name)", .statementWithout(name, in: .androidKey))
        .refused(.malformedStatement, "cbor.missing-key")
    } + [
      androidKey("algorithm-legacy", .algorithmLegacy(in: .androidKey)).refused(.legacyHash),
      androidKey("signature-spoilt", .signatureBitFlipped(in: .androidKey))
        .refused(.invalidSignature, "crypto.invalid-signature"),
      androidKey("for-another-key", .attestedForAnotherKey).refused(.publicKeyMismatch),
    ]
  }

  private static var description: [RegistrationScenario] {
    [
      androidKey("without-description", .keyDescriptionMissing).refused(.missingExtension),
      androidKey("description-malformed", .keyDescriptionMalformed).refused(.malformedExtension, "der.unexpected-tag"),
      androidKey("in-another-ceremony", .androidChallenge).refused(.androidChallengeMismatch),
      androidKey("for-all-applications", .androidAllApplications).refused(.androidAllApplications),
      androidKey("for-all-applications-in-software", .androidAllApplicationsInSoftware)
        .refused(.androidAllApplications),
      androidKey("key-imported", .androidKeyImported).refused(.androidKeyOrigin),
      androidKey("origin-missing", .androidOriginMissing).refused(.androidKeyOrigin),
      androidKey("origins-disagree", .androidOriginsDisagree).refused(.androidKeyOrigin),
      androidKey("key-verifies", .androidKeyVerifies).refused(.androidKeyPurpose),
      androidKey("key-encrypts", .androidKeyEncrypts).refused(.androidKeyPurpose),
      androidKey("purpose-missing", .androidPurposeMissing).refused(.androidKeyPurpose),
      androidKey("software-not-believed")
        .modifying(AndroidKeyDescription.self) { $0.moveToSoftware() }
        .configuring { $0.policy.androidKeyAuthorizations = .trustedEnvironmentOnly }
        .refused(.androidKeyOrigin, because: "the trusted environment does not report the origin of the key"),
    ]
  }
}

extension AndroidKeyScenarios {
  /// Policies about the key store and the state of the device.
  private static var device: [RegistrationScenario] {
    [
      androidKey("booted-as-required")
        .modifying(AndroidKeyDescription.self) { $0.describeBoot() }
        .configuring { (settings) in
          settings.policy.androidKeyAuthorizations = .trustedEnvironmentOnly
          settings.policy.androidVerifiedBoot = [.verified]
          settings.policy.androidOSPatchLevel = 202_505
        },
      androidKey("booted-unverified")
        .modifying(AndroidKeyDescription.self) { (description) in
          description.describeBoot()
          description.trustedEnvironmentEnforced.rootOfTrust?.verifiedBootState = 2
        }
        .configuring { $0.policy.androidVerifiedBoot = [.verified] }
        .notAcceptable(.androidVerifiedBoot, because: "the verified boot state is unverified"),
      androidKey("boot-not-told")
        .configuring { $0.policy.androidVerifiedBoot = [.verified, .selfSigned] }
        .notAcceptable(.androidVerifiedBoot, because: "the key description has no verified boot state"),
      androidKey("patches-too-old")
        .modifying(AndroidKeyDescription.self) { $0.describeBoot() }
        .configuring { $0.policy.androidOSPatchLevel = 202_506 }
        .notAcceptable(.androidPatchLevel, because: "the OS patch level is too old"),
      androidKey("attested-by-software")
        .modifying(AndroidKeyDescription.self) { $0.attestationSecurityLevel = 0 }
        .configuring { $0.policy.androidKeyAuthorizations = .trustedEnvironmentOnly }
        .notAcceptable(.androidSecurityLevel, because: "software made the attestation, not the trusted environment"),
      androidKey("kept-by-software")
        .modifying(AndroidKeyDescription.self) { $0.keyMintSecurityLevel = 0 }
        .configuring { $0.policy.androidKeyAuthorizations = .trustedEnvironmentOnly }
        .notAcceptable(.androidSecurityLevel, because: "software stores the key, not the trusted environment"),
      androidKey("forged-below-another-key", by: .androidKeyForged)
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
