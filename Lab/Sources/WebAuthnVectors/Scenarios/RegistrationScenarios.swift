// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// WebAuthn Level 3 §7.1 in the order of its steps, except the attestation.
enum RegistrationScenarios {
  static var all: [RegistrationScenario] {
    valid + beforeFirstStep + clientData + authenticatorData + attestationObject + credential + extensions
  }

  // MARK: Valid ceremonies

  private static var valid: [RegistrationScenario] {
    [
      RegistrationScenario("registration/plain"),
      RegistrationScenario("registration/user-verification-preferred", .userNotVerified)
        .configuring { $0.userVerification = "preferred" },
      RegistrationScenario("registration/user-verification-discouraged", .userNotVerified)
        .configuring { $0.userVerification = "discouraged" },
      RegistrationScenario("registration/conditional-without-user-presence", .userNotPresent)
        .configuring { $0.isConditional = true },
      RegistrationScenario("registration/eligible-for-backup").modifying { (data: inout AuthenticatorDataDraft) in
        data.flags.insert(.backupEligible)
      },
      RegistrationScenario("registration/backed-up").modifying { (data: inout AuthenticatorDataDraft) in
        data.flags.formUnion([.backupEligible, .backedUp])
      },
      RegistrationScenario("registration/reserved-flags").modifying { (data: inout AuthenticatorDataDraft) in
        data.flags.formUnion(.reserved)
      },
      RegistrationScenario("registration/counting").modifying { (data: inout AuthenticatorDataDraft) in
        data.signCount = 4_294_967_295
      },
      RegistrationScenario("registration/model-not-told").modifying { (data: inout AuthenticatorDataDraft) in
        data.credential?.aaguid = .zero
      },
      RegistrationScenario("registration/second-origin", .originOfAnotherHost)
        .configuring { $0.origins = [ScenarioDefaults.origin, "https://login.raxx.app"] },
      RegistrationScenario("registration/native-origin", .originOfAnApp).configuring { (settings) in
        settings.origins = ["android:apk-key-hash:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"]
      },
      RegistrationScenario("registration/inside-a-page-that-is-allowed").modifying { (data: inout ClientDataDraft) in
        data.crossOrigin = true
        data.topOrigin = .string(ScenarioDefaults.topOrigin)
      }
      .configuring { $0.topOrigins = [ScenarioDefaults.topOrigin] },
      RegistrationScenario("registration/inside-a-page-that-is-not-named", .crossOrigin)
        .configuring { $0.crossOrigin = true },
      RegistrationScenario("registration/longest-credential-id").modifying { (data: inout AuthenticatorDataDraft) in
        data.credential?.id = [UInt8](repeating: 0x1d, count: CredentialID.maximumByteCount)
      },
      RegistrationScenario("registration/shortest-credential-id").modifying { (data: inout AuthenticatorDataDraft) in
        data.credential?.id = [0x1d]
      },
      RegistrationScenario("registration/client-data-of-level-1").modifying { (data: inout ClientDataDraft) in
        data.crossOrigin = nil
      },
      RegistrationScenario("registration/client-data-with-null-members").modifying { (data: inout ClientDataDraft) in
        data.crossOrigin = .null
        data.topOrigin = .null
      },
      RegistrationScenario("registration/client-data-with-unknown-members").modifying { (data: inout ClientDataDraft) in
        data.more = [
          ("tokenBinding", .object(["status": "supported"])),
          ("other_keys_can_be_added_here", "do not compare clientDataJSON against a template"),
        ]
      },
      RegistrationScenario("registration/client-data-with-byte-order-mark").modifying { (data: inout ClientDataBytes) in
        data.bytes = [0xef, 0xbb, 0xbf] + data.bytes
      },
      RegistrationScenario("registration/client-data-with-white-space").modifying { (data: inout ClientDataBytes) in
        data.bytes = [UInt8](" {\n\t".utf8) + data.bytes.dropFirst()
      },
      RegistrationScenario("registration/client-data-with-escapes").modifying { (data: inout ClientDataBytes) in
        let text = String(decoding: data.bytes, as: UTF8.self)
        let escaped = text.split(separator: "https://raxx", maxSplits: 1, omittingEmptySubsequences: false)
        data.bytes = [UInt8](escaped.joined(separator: "https:\\/\\/r\\u0061xx").utf8)
      },
      RegistrationScenario("registration/members-of-the-attestation-object-unknown")
        .modifying { (object: inout AttestationObjectDraft) in object.members["epAtt"] = false },
      RegistrationScenario("registration/unrequested-extensions-passed-over", .extensionsUnrequested),
      RegistrationScenario("registration/finished-in-the-last-second").configuring { (settings) in
        settings.begun = settings.time - .seconds(300)
      },
    ]
  }

  // MARK: Before the first step

  private static var beforeFirstStep: [RegistrationScenario] {
    [
      RegistrationScenario("registration/finished-too-late")
        .configuring { $0.begun = $0.time - .seconds(301) }
        .refused(.expired, nil, because: "the response arrives 301 seconds after the ceremony began")
    ]
  }

  // MARK: Steps 6 to 11

  private static var clientData: [RegistrationScenario] {
    let malformed = CeremonyError.Code.registrationClientDataMalformed
    return [
      RegistrationScenario("registration/client-data-not-json", .clientDataNotJSON)
        .refused(malformed, 6, "client-data.malformed", "json.truncated"),
      RegistrationScenario("registration/client-data-empty", .clientDataEmpty)
        .refused(malformed, 6, "client-data.malformed", "json.truncated"),
      RegistrationScenario("registration/client-data-not-an-object", .clientDataNotObject)
        .refused(malformed, 6, "client-data.malformed", "json.wrong-type"),
      RegistrationScenario("registration/client-data-trailing", .clientDataTrailing)
        .refused(malformed, 6, "client-data.malformed", "json.trailing-bytes"),
      RegistrationScenario("registration/client-data-not-utf-8", .clientDataNotUTF8)
        .refused(malformed, 6, "client-data.malformed", "json.invalid-utf8"),
      RegistrationScenario("registration/challenge-twice", .challengeTwice)
        .refused(malformed, 6, "client-data.malformed", "json.duplicate-name"),
      RegistrationScenario("registration/type-missing", .typeMissing)
        .refused(malformed, 6, "client-data.missing-member"),
      RegistrationScenario("registration/challenge-missing", .challengeMissing)
        .refused(malformed, 6, "client-data.missing-member"),
      RegistrationScenario("registration/origin-missing", .originMissing)
        .refused(malformed, 6, "client-data.missing-member"),
      RegistrationScenario("registration/type-not-text", .typeNotText)
        .refused(malformed, 6, "client-data.invalid-member", "json.wrong-type"),
      RegistrationScenario("registration/origin-not-text", .originNotText)
        .refused(malformed, 6, "client-data.invalid-member", "json.wrong-type"),
      RegistrationScenario("registration/challenge-padded", .challengePadded)
        .refused(malformed, 6, "client-data.invalid-member", "base64.invalid-character"),
      RegistrationScenario("registration/cross-origin-not-a-truth-value", .crossOriginNotTruthValue)
        .refused(malformed, 6, "client-data.invalid-member", "json.wrong-type"),
      RegistrationScenario("registration/type-of-authentication", .typeOfAuthentication)
        .refused(.registrationTypeMismatch, 7),
      RegistrationScenario("registration/type-unknown", .typeUnknown).refused(.registrationTypeMismatch, 7),
      RegistrationScenario("registration/challenge-of-another-ceremony", .challengeOfAnotherCeremony)
        .refused(.registrationChallengeMismatch, 8),
      RegistrationScenario("registration/challenge-cut", .challengeCut).refused(.registrationChallengeMismatch, 8),
      RegistrationScenario("registration/challenge-empty", .challengeEmpty)
        .refused(.registrationChallengeMismatch, 8),
    ]
      + origins + [
        RegistrationScenario("registration/cross-origin", .crossOrigin).refused(.registrationCrossOriginRefused, 10),
        RegistrationScenario("registration/cross-origin-with-top-origin", .topOriginOfAnotherSite)
          .refused(.registrationCrossOriginRefused, 10),
        RegistrationScenario("registration/top-origin-without-cross-origin", .topOriginWithoutCrossOrigin)
          .refused(.registrationCrossOriginRefused, 11),
        RegistrationScenario("registration/top-origin-of-another-site", .topOriginOfAnotherSite)
          .configuring { $0.topOrigins = [ScenarioDefaults.topOrigin] }
          .refused(.registrationTopOriginMismatch, 11),
      ]
  }

  private static var origins: [RegistrationScenario] {
    let faults: [(String, Fault)] = [
      ("of-another-site", .originOfAnotherSite), ("of-another-host", .originOfAnotherHost),
      ("of-another-port", .originOfAnotherPort), ("with-default-port", .originWithDefaultPort),
      ("without-encryption", .originWithoutEncryption),
      ("with-path", .originWithPath), ("of-an-app", .originOfAnApp), ("opaque", .originOpaque),
      ("in-capitals", .originInCapitals),
    ]
    return faults.map { (name, fault) in
      RegistrationScenario("registration/origin-\(name)", fault).refused(.registrationOriginMismatch, 9)
    }
  }

  // MARK: Step 13

  private static var attestationObject: [RegistrationScenario] {
    let malformed = CeremonyError.Code.registrationAttestationObjectMalformed
    return [
      RegistrationScenario("registration/attestation-object-cut", .attestationObjectCut)
        .refused(malformed, 13, "attestation-object.malformed", "cbor.length-exceeds-input"),
      RegistrationScenario("registration/attestation-object-empty", .attestationObjectEmpty)
        .refused(malformed, 13, "attestation-object.malformed", "cbor.truncated"),
      RegistrationScenario("registration/attestation-object-trailing", .attestationObjectTrailing)
        .refused(malformed, 13, "attestation-object.malformed", "cbor.trailing-bytes"),
      RegistrationScenario("registration/attestation-object-not-a-map", .attestationObjectNotAMap)
        .refused(malformed, 13, "attestation-object.malformed", "cbor.wrong-type"),
      RegistrationScenario("registration/format-missing", .formatMissing)
        .refused(malformed, 13, "attestation-object.missing-member"),
      RegistrationScenario("registration/statement-missing", .statementMissing)
        .refused(malformed, 13, "attestation-object.missing-member"),
      RegistrationScenario("registration/authenticator-data-missing", .authenticatorDataMissing)
        .refused(malformed, 13, "attestation-object.missing-member"),
      RegistrationScenario("registration/format-not-text", .formatNotText)
        .refused(malformed, 13, "attestation-object.invalid-member", "cbor.wrong-type"),
      RegistrationScenario("registration/statement-not-a-map", .statementNotAMap)
        .refused(malformed, 13, "attestation-object.invalid-member", "cbor.wrong-type"),
      RegistrationScenario("registration/authenticator-data-not-bytes", .authenticatorDataNotBytes)
        .refused(malformed, 13, "attestation-object.invalid-member", "cbor.wrong-type"),
      RegistrationScenario("registration/authenticator-data-cut", .authenticatorDataCut)
        .refused(malformed, 13, "authenticator-data.truncated", "bytes.truncated"),
      RegistrationScenario("registration/authenticator-data-trailing", .authenticatorDataTrailing)
        .refused(malformed, 13, "authenticator-data.trailing-bytes"),
      RegistrationScenario("registration/authenticator-data-key-cut", .authenticatorDataKeyCut)
        .refused(malformed, 13, "authenticator-data.malformed-key", "cbor.length-exceeds-input"),
      RegistrationScenario("registration/authenticator-data-without-extensions", .authenticatorDataWithoutExtensions)
        .refused(malformed, 13, "authenticator-data.malformed-extensions", "cbor.truncated"),
      RegistrationScenario("registration/extensions-not-a-map", .extensionsNotAMap)
        .refused(malformed, 13, "authenticator-data.malformed-extensions"),
      RegistrationScenario("registration/credential-left-out", .credentialLeftOut)
        .refused(.registrationCredentialDataMissing, 13),
      RegistrationScenario("registration/credential-of-another-id", .responseOfAnotherCredential)
        .refused(.registrationCredentialIDMismatch, 13),
    ]
  }

  // MARK: Steps 14 to 17

  private static var authenticatorData: [RegistrationScenario] {
    [
      RegistrationScenario("registration/rp-id-of-another-site", .relyingPartyOfAnotherSite)
        .refused(.registrationRelyingPartyIDMismatch, 14),
      RegistrationScenario("registration/rp-id-is-the-origin", .relyingPartyIsTheOrigin)
        .refused(.registrationRelyingPartyIDMismatch, 14),
      RegistrationScenario("registration/user-not-present", .userNotPresent).refused(.registrationUserNotPresent, 15),
      RegistrationScenario("registration/user-not-verified", .userNotVerified)
        .refused(.registrationUserNotVerified, 16),
      RegistrationScenario("registration/conditional-without-user-verification", .userNotVerified)
        .configuring { $0.isConditional = true }
        .refused(.registrationUserNotVerified, 16),
      RegistrationScenario("registration/backed-up-without-eligibility", .backedUpWithoutEligibility)
        .refused(.registrationBackupStateInvalid, 17),
    ]
  }

  // MARK: Steps 20, 21, 25 and 26

  private static var credential: [RegistrationScenario] {
    [
      RegistrationScenario("registration/algorithm-not-asked-for")
        .configuring { $0.algorithms = [.es384, .eddsa] }
        .refused(.registrationAlgorithmNotAllowed, 20, because: "ES256 was not requested"),
      RegistrationScenario("registration/algorithm-of-another-number", .esp256, .none)
        .configuring { $0.algorithms = [.es256] }
        .refused(
          .registrationAlgorithmNotAllowed, 20,
          because: "ESP256 was not requested, although it uses the same keys as ES256"),
      RegistrationScenario("registration/format-unknown", .formatUnknown).refused(.registrationFormatUnknown, 21),
      RegistrationScenario("registration/credential-id-as-long-as-allowed")
        .configuring { $0.policy.maximumCredentialIDLength = 32 },
      RegistrationScenario("registration/credential-id-longer-than-allowed")
        .configuring { $0.policy.maximumCredentialIDLength = 31 }
        .refused(.registrationCredentialIDTooLong, 25, because: "the credential ID has 32 bytes, and 31 are allowed"),
      RegistrationScenario("registration/credential-id-known")
        .configuring { $0.existingCredential = true }
        .refused(.registrationCredentialIDKnown, 26, because: "the credential ID is already registered"),
    ]
  }

  // MARK: Step 28

  private static var extensions: [RegistrationScenario] {
    [
      RegistrationScenario("registration/requested-extensions").modifying { (data: inout AuthenticatorDataDraft) in
        data.extensions = ["credProtect": 2]
      }
      .modifying { (response: inout ResponseDraft) in
        response.clientExtensionResults = .object(["credProps": .object(["rk": true])])
      }
      .configuring { (settings) in
        settings.policy.unrequestedExtensions = .refused
        settings.extensions = [
          .init(name: "credProps", value: true),
          .init(name: "credentialProtectionPolicy", value: "userVerificationOptionalWithCredentialIDList"),
        ]
      },
      RegistrationScenario("registration/unrequested-extension-of-the-authenticator", .extensionsUnrequested)
        .configuring { $0.policy.unrequestedExtensions = .refused }
        .refused(.registrationExtensionNotRequested, 28),
      RegistrationScenario("registration/unrequested-extension-of-the-client", .clientExtensionUnrequested)
        .configuring { $0.policy.unrequestedExtensions = .refused }
        .refused(.registrationExtensionNotRequested, 28),
    ]
  }
}
