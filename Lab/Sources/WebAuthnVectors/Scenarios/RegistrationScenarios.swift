// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyTesting
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// WebAuthn Level 3 §7.1 in the order of its steps, except the attestation.
enum RegistrationScenarios {
  private static let registration = RegistrationGroup("registration/")

  static var all: [RegistrationScenario] {
    valid + beforeFirstStep + clientData + authenticatorData + attestationObject + credential + extensions
  }

  // MARK: Valid ceremonies

  private static var valid: [RegistrationScenario] {
    [
      registration("plain"),
      registration("user-verification-preferred", .userNotVerified).configuring { $0.userVerification = "preferred" },
      registration("user-verification-discouraged", .userNotVerified)
        .configuring { $0.userVerification = "discouraged" },
      registration("conditional-without-user-presence", .userNotPresent).configuring { $0.isConditional = true },
      registration("eligible-for-backup").modifying(AuthenticatorDataDraft.self) { $0.flags.insert(.backupEligible) },
      registration("backed-up")
        .modifying(AuthenticatorDataDraft.self) { $0.flags.formUnion([.backupEligible, .backedUp]) },
      registration("reserved-flags").modifying(AuthenticatorDataDraft.self) { $0.flags.formUnion(.reserved) },
      registration("counting").modifying(AuthenticatorDataDraft.self) { $0.signCount = 4_294_967_295 },
      registration("model-not-told").modifying(AuthenticatorDataDraft.self) { $0.credential?.aaguid = .zero },
      registration("second-origin", .originOfAnotherHost)
        .configuring { $0.origins = [ScenarioDefaults.origin, "https://login.raxx.app"] },
      registration("native-origin", .originOfAnApp)
        .configuring { $0.origins = ["android:apk-key-hash:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"] },
      registration("inside-a-page-that-is-allowed").modifying(ClientDataDraft.self) { (data) in
        data.crossOrigin = true
        data.topOrigin = .string(ScenarioDefaults.topOrigin)
      }
      .configuring { $0.topOrigins = [ScenarioDefaults.topOrigin] },
      registration("inside-a-page-that-is-not-named", .crossOrigin).configuring { $0.crossOrigin = true },
      registration("longest-credential-id").modifying(AuthenticatorDataDraft.self) { (data) in
        data.credential?.id = [UInt8](repeating: 0x1d, count: CredentialID.maximumByteCount)
      },
      registration("shortest-credential-id").modifying(AuthenticatorDataDraft.self) { $0.credential?.id = [0x1d] },
      registration("client-data-of-level-1").modifying(ClientDataDraft.self) { $0.crossOrigin = nil },
      registration("client-data-with-null-members").modifying(ClientDataDraft.self) { (data) in
        data.crossOrigin = .null
        data.topOrigin = .null
      },
      registration("client-data-with-unknown-members").modifying(ClientDataDraft.self) { (data) in
        data.more = [
          ("tokenBinding", .object(["status": "supported"])),
          ("other_keys_can_be_added_here", "do not compare clientDataJSON against a template"),
        ]
      },
      registration("client-data-with-byte-order-mark")
        .modifying(ClientDataBytes.self) { $0.bytes = [0xef, 0xbb, 0xbf] + $0.bytes },
      registration("client-data-with-white-space")
        .modifying(ClientDataBytes.self) { $0.bytes = [UInt8](" {\n\t".utf8) + $0.bytes.dropFirst() },
      registration("client-data-with-escapes").modifying(ClientDataBytes.self) { (data) in
        let text = String(decoding: data.bytes, as: UTF8.self)
        let escaped = text.split(separator: "https://raxx", maxSplits: 1, omittingEmptySubsequences: false)
        data.bytes = [UInt8](escaped.joined(separator: "https:\\/\\/r\\u0061xx").utf8)
      },
      registration("members-of-the-attestation-object-unknown")
        .modifying(AttestationObjectDraft.self) { $0.members["epAtt"] = false },
      registration("unrequested-extensions-passed-over", .extensionsUnrequested),
      registration("finished-in-the-last-second").configuring { $0.begun = $0.time - .seconds(300) },
    ]
  }

  // MARK: Before the first step

  private static var beforeFirstStep: [RegistrationScenario] {
    [
      registration("finished-too-late")
        .configuring { $0.begun = $0.time - .seconds(301) }
        .refused(.expired, nil, because: "the response arrives 301 seconds after the ceremony began")
    ]
  }

  // MARK: Steps 6 to 11

  private static var clientData: [RegistrationScenario] {
    func malformed(_ name: String, _ fault: Fault, _ causes: String...) -> RegistrationScenario {
      registration(name, fault).refused(.registrationClientDataMalformed, 6, causes)
    }
    return [
      malformed("client-data-not-json", .clientDataNotJSON, "client-data.malformed", "json.truncated"),
      malformed("client-data-empty", .clientDataEmpty, "client-data.malformed", "json.truncated"),
      malformed("client-data-not-an-object", .clientDataNotObject, "client-data.malformed", "json.wrong-type"),
      malformed("client-data-trailing", .clientDataTrailing, "client-data.malformed", "json.trailing-bytes"),
      malformed("client-data-not-utf-8", .clientDataNotUTF8, "client-data.malformed", "json.invalid-utf8"),
      malformed("challenge-twice", .challengeTwice, "client-data.malformed", "json.duplicate-name"),
      malformed("type-missing", .typeMissing, "client-data.missing-member"),
      malformed("challenge-missing", .challengeMissing, "client-data.missing-member"),
      malformed("origin-missing", .originMissing, "client-data.missing-member"),
      malformed("type-not-text", .typeNotText, "client-data.invalid-member", "json.wrong-type"),
      malformed("origin-not-text", .originNotText, "client-data.invalid-member", "json.wrong-type"),
      malformed("challenge-padded", .challengePadded, "client-data.invalid-member", "base64.invalid-character"),
      malformed(
        "cross-origin-not-a-truth-value", .crossOriginNotTruthValue, "client-data.invalid-member", "json.wrong-type"),
      registration("type-of-authentication", .typeOfAuthentication).refused(.registrationTypeMismatch, 7),
      registration("type-unknown", .typeUnknown).refused(.registrationTypeMismatch, 7),
      registration("challenge-of-another-ceremony", .challengeOfAnotherCeremony)
        .refused(.registrationChallengeMismatch, 8),
      registration("challenge-cut", .challengeCut).refused(.registrationChallengeMismatch, 8),
      registration("challenge-empty", .challengeEmpty).refused(.registrationChallengeMismatch, 8),
    ]
      + origins + [
        registration("cross-origin", .crossOrigin).refused(.registrationCrossOriginRefused, 10),
        registration("cross-origin-with-top-origin", .topOriginOfAnotherSite)
          .refused(.registrationCrossOriginRefused, 10),
        registration("top-origin-without-cross-origin", .topOriginWithoutCrossOrigin)
          .refused(.registrationCrossOriginRefused, 11),
        registration("top-origin-of-another-site", .topOriginOfAnotherSite)
          .configuring { $0.topOrigins = [ScenarioDefaults.topOrigin] }
          .refused(.registrationTopOriginMismatch, 11),
      ]
  }

  /// Origins that no relying party of these files accepts, in either ceremony.
  static let originFaults: [(name: String, fault: Fault)] = [
    ("of-another-site", .originOfAnotherSite), ("of-another-host", .originOfAnotherHost),
    ("of-another-port", .originOfAnotherPort), ("with-default-port", .originWithDefaultPort),
    ("without-encryption", .originWithoutEncryption),
    ("with-path", .originWithPath), ("of-an-app", .originOfAnApp), ("opaque", .originOpaque),
    ("in-capitals", .originInCapitals),
  ]

  private static var origins: [RegistrationScenario] {
    originFaults.map { (name, fault) in
      registration("origin-\(name)", fault).refused(.registrationOriginMismatch, 9)
    }
  }

  // MARK: Step 13

  private static var attestationObject: [RegistrationScenario] {
    let malformed = CeremonyError.Code.registrationAttestationObjectMalformed
    return [
      registration("attestation-object-cut", .attestationObjectCut)
        .refused(malformed, 13, "attestation-object.malformed", "cbor.length-exceeds-input"),
      registration("attestation-object-empty", .attestationObjectEmpty)
        .refused(malformed, 13, "attestation-object.malformed", "cbor.truncated"),
      registration("attestation-object-trailing", .attestationObjectTrailing)
        .refused(malformed, 13, "attestation-object.malformed", "cbor.trailing-bytes"),
      registration("attestation-object-not-a-map", .attestationObjectNotAMap)
        .refused(malformed, 13, "attestation-object.malformed", "cbor.wrong-type"),
      registration("format-missing", .formatMissing).refused(malformed, 13, "attestation-object.missing-member"),
      registration("statement-missing", .statementMissing).refused(malformed, 13, "attestation-object.missing-member"),
      registration("authenticator-data-missing", .authenticatorDataMissing)
        .refused(malformed, 13, "attestation-object.missing-member"),
      registration("format-not-text", .formatNotText)
        .refused(malformed, 13, "attestation-object.invalid-member", "cbor.wrong-type"),
      registration("statement-not-a-map", .statementNotAMap)
        .refused(malformed, 13, "attestation-object.invalid-member", "cbor.wrong-type"),
      registration("authenticator-data-not-bytes", .authenticatorDataNotBytes)
        .refused(malformed, 13, "attestation-object.invalid-member", "cbor.wrong-type"),
      registration("authenticator-data-cut", .authenticatorDataCut)
        .refused(malformed, 13, "authenticator-data.truncated", "bytes.truncated"),
      registration("authenticator-data-trailing", .authenticatorDataTrailing)
        .refused(malformed, 13, "authenticator-data.trailing-bytes"),
      registration("authenticator-data-key-cut", .authenticatorDataKeyCut)
        .refused(malformed, 13, "authenticator-data.malformed-key", "cbor.length-exceeds-input"),
      registration("authenticator-data-without-extensions", .authenticatorDataWithoutExtensions)
        .refused(malformed, 13, "authenticator-data.malformed-extensions", "cbor.truncated"),
      registration("extensions-not-a-map", .extensionsNotAMap)
        .refused(malformed, 13, "authenticator-data.malformed-extensions"),
      registration("credential-left-out", .credentialLeftOut).refused(.registrationCredentialDataMissing, 13),
      registration("credential-of-another-id", .responseOfAnotherCredential)
        .refused(.registrationCredentialIDMismatch, 13),
    ]
  }

  // MARK: Steps 14 to 17

  private static var authenticatorData: [RegistrationScenario] {
    [
      registration("rp-id-of-another-site", .relyingPartyOfAnotherSite)
        .refused(.registrationRelyingPartyIDMismatch, 14),
      registration("rp-id-is-the-origin", .relyingPartyIsTheOrigin).refused(.registrationRelyingPartyIDMismatch, 14),
      registration("user-not-present", .userNotPresent).refused(.registrationUserNotPresent, 15),
      registration("user-not-verified", .userNotVerified).refused(.registrationUserNotVerified, 16),
      registration("conditional-without-user-verification", .userNotVerified)
        .configuring { $0.isConditional = true }
        .refused(.registrationUserNotVerified, 16),
      registration("backed-up-without-eligibility", .backedUpWithoutEligibility)
        .refused(.registrationBackupStateInvalid, 17),
    ]
  }

  // MARK: Steps 20, 21, 25 and 26

  private static var credential: [RegistrationScenario] {
    [
      registration("algorithm-not-asked-for")
        .configuring { $0.algorithms = [.es384, .eddsa] }
        .refused(.registrationAlgorithmNotAllowed, 20, because: "ES256 was not requested"),
      registration("algorithm-of-another-number", for: .esp256)
        .configuring { $0.algorithms = [.es256] }
        .refused(
          .registrationAlgorithmNotAllowed, 20,
          because: "ESP256 was not requested, although it uses the same keys as ES256"),
      registration("format-unknown", .formatUnknown).refused(.registrationFormatUnknown, 21),
      registration("credential-id-as-long-as-allowed").configuring { $0.policy.maximumCredentialIDLength = 32 },
      registration("credential-id-longer-than-allowed")
        .configuring { $0.policy.maximumCredentialIDLength = 31 }
        .refused(.registrationCredentialIDTooLong, 25, because: "the credential ID has 32 bytes, and 31 are allowed"),
      registration("credential-id-known")
        .configuring { $0.existingCredential = true }
        .refused(.registrationCredentialIDKnown, 26, because: "the credential ID is already registered"),
    ]
  }

  // MARK: Step 28

  private static var extensions: [RegistrationScenario] {
    [
      registration("requested-extensions")
        .modifying(AuthenticatorDataDraft.self) { $0.extensions = ["credProtect": 2] }
        .modifying(ResponseDraft.self) { $0.clientExtensionResults = .object(["credProps": .object(["rk": true])]) }
        .configuring { (settings) in
          settings.policy.unrequestedExtensions = .refused
          settings.extensions = [
            .init(name: "credProps", value: true),
            .init(name: "credentialProtectionPolicy", value: "userVerificationOptionalWithCredentialIDList"),
          ]
        },
      registration("unrequested-extension-of-the-authenticator", .extensionsUnrequested)
        .configuring { $0.policy.unrequestedExtensions = .refused }
        .refused(.registrationExtensionNotRequested, 28),
      registration("unrequested-extension-of-the-client", .clientExtensionUnrequested)
        .configuring { $0.policy.unrequestedExtensions = .refused }
        .refused(.registrationExtensionNotRequested, 28),
    ]
  }
}
