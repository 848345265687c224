// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// WebAuthn Level 3 §7.2, in the order of its steps.
enum AuthenticationScenarios {
  static var all: [AuthenticationScenario] {
    valid + beforeFirstStep + user + clientData + authenticatorData + signature + counter + extensions
  }

  // MARK: Valid ceremonies

  private static var valid: [AuthenticationScenario] {
    [
      AuthenticationScenario("authentication/plain"),
      AuthenticationScenario("authentication/user-from-response").configuring { $0.isFromResponse = true },
      AuthenticationScenario("authentication/user-handle-left-out", .userHandleLeftOut),
      AuthenticationScenario("authentication/no-credentials-named").configuring { $0.allowedCredentials = [] },
      AuthenticationScenario("authentication/one-of-several-credentials").configuring { (settings) in
        settings.allowedCredentials = [[1, 2, 3], settings.credential?.id ?? []]
      },
      AuthenticationScenario("authentication/user-verification-preferred", .userNotVerified)
        .configuring { $0.userVerification = "preferred" },
      AuthenticationScenario("authentication/backed-up").modifying { (data: inout AuthenticatorDataDraft) in
        data.flags.formUnion([.backupEligible, .backedUp])
      }
      .configuring { $0.credential?.backupEligible = true },
      AuthenticationScenario("authentication/reserved-flags").modifying { (data: inout AuthenticatorDataDraft) in
        data.flags.formUnion(.reserved)
      },
      AuthenticationScenario("authentication/counter-goes-up").modifying { (data: inout AuthenticatorDataDraft) in
        data.signCount = 6
      }
      .configuring { (settings) in
        settings.credential?.signCount = 5
        settings.policy.signCount = .refuse
      },
      AuthenticationScenario("authentication/counter-begins").modifying { (data: inout AuthenticatorDataDraft) in
        data.signCount = 1
      }
      .configuring { $0.policy.signCount = .refuse },
      AuthenticationScenario("authentication/second-origin", .originOfAnotherHost)
        .configuring { $0.origins = [ScenarioDefaults.origin, "https://login.raxx.app"] },
      AuthenticationScenario("authentication/inside-a-page-that-is-allowed").modifying {
        (data: inout ClientDataDraft) in
        data.crossOrigin = true
        data.topOrigin = .string(ScenarioDefaults.topOrigin)
      }
      .configuring { $0.topOrigins = [ScenarioDefaults.topOrigin] },
      AuthenticationScenario("authentication/client-data-with-null-members").modifying {
        (data: inout ClientDataDraft) in
        data.crossOrigin = .null
        data.topOrigin = .null
      },
      AuthenticationScenario("authentication/asked-by-app-id").modifying { (data: inout AuthenticatorDataDraft) in
        data.relyingPartyIDHash = Digest.sha256([UInt8]("https://raxx.app/appid.json".utf8)[...])
      }
      .modifying { (response: inout ResponseDraft) in response.clientExtensionResults = .object(["appid": true]) }
      .configuring { $0.appID = "https://raxx.app/appid.json" },
      AuthenticationScenario("authentication/app-id-not-used").configuring { $0.appID = "https://raxx.app/appid.json" },
      AuthenticationScenario("authentication/step-up").configuring { $0.purpose = order },
    ]
  }

  private static let order = CasePurpose.stepUp(
    session: [UInt8]("session-1".utf8), action: [UInt8]("POST /api/orders {\"symbol\":\"RAXX\",\"quantity\":100}".utf8))
  private static let anotherOrder = CasePurpose.stepUp(
    session: [UInt8]("session-1".utf8), action: [UInt8]("POST /api/orders {\"symbol\":\"RAXX\",\"quantity\":900}".utf8))
  private static let orderInAnotherSession = CasePurpose.stepUp(
    session: [UInt8]("session-2".utf8), action: [UInt8]("POST /api/orders {\"symbol\":\"RAXX\",\"quantity\":100}".utf8))

  // MARK: Before the first step

  private static var beforeFirstStep: [AuthenticationScenario] {
    [
      AuthenticationScenario("authentication/finished-too-late")
        .configuring { $0.begun = $0.time - .seconds(301) }
        .refused(.expired, nil, because: "the response arrives 301 seconds after the ceremony began"),
      purposes("sign-in-used-as-step-up", .signIn, order),
      purposes("step-up-used-as-sign-in", order, .signIn),
      purposes("step-up-for-another-act", order, anotherOrder),
      purposes("step-up-in-another-session", order, orderInAnotherSession),
    ]
  }

  private static func purposes(_ name: String, _ begun: CasePurpose, _ used: CasePurpose) -> AuthenticationScenario {
    AuthenticationScenario("authentication/\(name)")
      .configuring { (settings) in
        settings.purpose = begun
        settings.finishedAs = used
      }
      .refused(
        .purposeMismatch, nil,
        because: "the assertion is used for another purpose than the one for which it was requested")
  }

  // MARK: Steps 5 and 6

  private static var user: [AuthenticationScenario] {
    [
      AuthenticationScenario("authentication/credential-not-asked-for")
        .configuring { $0.allowedCredentials = [[1, 2, 3]] }
        .refused(.authenticationCredentialNotAllowed, 5, because: "the credential is not in allowCredentials"),
      AuthenticationScenario("authentication/credential-of-another-id", .responseOfAnotherCredential)
        .refused(.authenticationCredentialNotAllowed, 5),
      AuthenticationScenario("authentication/record-of-another-credential", .responseOfAnotherCredential)
        .configuring { $0.isFromResponse = true }
        .refused(.authenticationCredentialMismatch, 6),
      AuthenticationScenario("authentication/credential-of-another-user")
        .configuring { $0.user = [UInt8](repeating: 0xc1, count: 32) }
        .refused(
          .authenticationUserHandleMismatch, 6, because: "the credential belongs to another user"),
      AuthenticationScenario("authentication/user-handle-of-another", .userHandleOfAnother)
        .refused(.authenticationUserHandleMismatch, 6),
      AuthenticationScenario("authentication/user-handle-of-another-from-response", .userHandleOfAnother)
        .configuring { $0.isFromResponse = true }
        .refused(.authenticationUserHandleMismatch, 6),
      AuthenticationScenario("authentication/user-handle-missing", .userHandleLeftOut)
        .configuring { $0.isFromResponse = true }
        .refused(.authenticationUserHandleMissing, 6),
    ]
  }

  // MARK: Steps 9 to 14

  private static var clientData: [AuthenticationScenario] {
    let malformed = CeremonyError.Code.authenticationClientDataMalformed
    return [
      AuthenticationScenario("authentication/client-data-not-json", .clientDataNotJSON)
        .refused(malformed, 9, "client-data.malformed", "json.truncated"),
      AuthenticationScenario("authentication/challenge-twice", .challengeTwice)
        .refused(malformed, 9, "client-data.malformed", "json.duplicate-name"),
      AuthenticationScenario("authentication/challenge-missing", .challengeMissing)
        .refused(malformed, 9, "client-data.missing-member"),
      AuthenticationScenario("authentication/origin-not-text", .originNotText)
        .refused(malformed, 9, "client-data.invalid-member", "json.wrong-type"),
      AuthenticationScenario("authentication/type-of-registration", .typeOfRegistration)
        .refused(.authenticationTypeMismatch, 10),
      AuthenticationScenario("authentication/type-of-payment", .typeOfPayment)
        .refused(.authenticationTypeMismatch, 10),
      AuthenticationScenario("authentication/challenge-of-another-ceremony", .challengeOfAnotherCeremony)
        .refused(.authenticationChallengeMismatch, 11),
      AuthenticationScenario("authentication/challenge-cut", .challengeCut)
        .refused(.authenticationChallengeMismatch, 11),
      AuthenticationScenario("authentication/challenge-empty", .challengeEmpty)
        .refused(.authenticationChallengeMismatch, 11),
    ]
      + origins + [
        AuthenticationScenario("authentication/cross-origin", .crossOrigin)
          .refused(.authenticationCrossOriginRefused, 13),
        AuthenticationScenario("authentication/cross-origin-with-top-origin", .topOriginOfAnotherSite)
          .refused(.authenticationCrossOriginRefused, 13),
        AuthenticationScenario("authentication/top-origin-without-cross-origin", .topOriginWithoutCrossOrigin)
          .refused(.authenticationCrossOriginRefused, 14),
        AuthenticationScenario("authentication/top-origin-of-another-site", .topOriginOfAnotherSite)
          .configuring { $0.topOrigins = [ScenarioDefaults.topOrigin] }
          .refused(.authenticationTopOriginMismatch, 14),
      ]
  }

  private static var origins: [AuthenticationScenario] {
    let faults: [(String, Fault)] = [
      ("of-another-site", .originOfAnotherSite), ("of-another-host", .originOfAnotherHost),
      ("of-another-port", .originOfAnotherPort), ("with-default-port", .originWithDefaultPort),
      ("without-encryption", .originWithoutEncryption),
      ("with-path", .originWithPath), ("of-an-app", .originOfAnApp), ("opaque", .originOpaque),
      ("in-capitals", .originInCapitals),
    ]
    return faults.map { (name, fault) in
      AuthenticationScenario("authentication/origin-\(name)", fault).refused(.authenticationOriginMismatch, 12)
    }
  }

  // MARK: Steps 7 and 15 to 19

  private static var authenticatorData: [AuthenticationScenario] {
    let malformed = CeremonyError.Code.authenticationAuthenticatorDataMalformed
    return [
      AuthenticationScenario("authentication/authenticator-data-cut", .authenticatorDataCut)
        .refused(malformed, 7, "authenticator-data.truncated", "bytes.truncated"),
      AuthenticationScenario("authentication/authenticator-data-trailing", .authenticatorDataTrailing)
        .refused(malformed, 7, "authenticator-data.trailing-bytes"),
      AuthenticationScenario(
        "authentication/authenticator-data-without-extensions", .authenticatorDataWithoutExtensions
      )
      .refused(malformed, 7, "authenticator-data.malformed-extensions", "cbor.truncated"),
      AuthenticationScenario("authentication/extensions-not-a-map", .extensionsNotAMap)
        .refused(malformed, 7, "authenticator-data.malformed-extensions"),
      AuthenticationScenario("authentication/rp-id-of-another-site", .relyingPartyOfAnotherSite)
        .refused(.authenticationRelyingPartyIDMismatch, 15),
      AuthenticationScenario("authentication/app-id-not-asked-for").modifying { (data: inout AuthenticatorDataDraft) in
        data.relyingPartyIDHash = Digest.sha256([UInt8]("https://raxx.app/appid.json".utf8)[...])
      }
      .modifying { (response: inout ResponseDraft) in response.clientExtensionResults = .object(["appid": true]) }
      .refused(
        .authenticationRelyingPartyIDMismatch, 15,
        because: "the RP ID hash is that of an AppID that was not requested"),
      AuthenticationScenario("authentication/app-id-not-admitted").modifying { (data: inout AuthenticatorDataDraft) in
        data.relyingPartyIDHash = Digest.sha256([UInt8]("https://raxx.app/appid.json".utf8)[...])
      }
      .configuring { $0.appID = "https://raxx.app/appid.json" }
      .refused(
        .authenticationRelyingPartyIDMismatch, 15,
        because: "the RP ID hash is that of the AppID, but the client does not report its use"),
      AuthenticationScenario("authentication/user-not-present", .userNotPresent)
        .refused(.authenticationUserNotPresent, 16),
      AuthenticationScenario("authentication/user-not-verified", .userNotVerified)
        .refused(.authenticationUserNotVerified, 17),
      AuthenticationScenario("authentication/step-up-without-user-verification", .userNotVerified)
        .configuring { (settings) in
          settings.userVerification = "discouraged"
          settings.purpose = order
        }
        .refused(.authenticationUserNotVerified, 17),
      AuthenticationScenario("authentication/user-verification-not-initialized")
        .configuring { $0.credential?.uvInitialized = false }
        .refused(
          .authenticationUserVerificationNotInitialized, 17,
          because: "the credential was registered without user verification, so its UV flag is not a factor"),
      AuthenticationScenario("authentication/user-verification-not-initialized-and-reported")
        .configuring { (settings) in
          settings.credential?.uvInitialized = false
          settings.policy.uninitializedUserVerification = .report
        },
      AuthenticationScenario("authentication/user-verification-not-initialized-and-preferred")
        .configuring { (settings) in
          settings.credential?.uvInitialized = false
          settings.userVerification = "preferred"
        },
      AuthenticationScenario("authentication/step-up-with-user-verification-not-initialized")
        .configuring { (settings) in
          settings.credential?.uvInitialized = false
          settings.policy.uninitializedUserVerification = .report
          settings.purpose = order
        }
        .refused(
          .authenticationUserVerificationNotInitialized, 17,
          because: "the credential was registered without user verification, so it cannot confirm an action"),
      AuthenticationScenario("authentication/backed-up-without-eligibility", .backedUpWithoutEligibility)
        .refused(.authenticationBackupStateInvalid, 18),
      AuthenticationScenario("authentication/backup-eligibility-gained-and-reported", .backupEligibilityGained)
        .reporting { $0.backupEligibilityChanged = true },
      AuthenticationScenario("authentication/backup-eligibility-gained", .backupEligibilityGained)
        .configuring { $0.policy.backupEligibilityChange = .refuse }
        .refused(.authenticationBackupEligibilityChanged, 19),
      AuthenticationScenario("authentication/backup-eligibility-lost").configuring { (settings) in
        settings.credential?.backupEligible = true
        settings.policy.backupEligibilityChange = .refuse
      }
      .refused(
        .authenticationBackupEligibilityChanged, 19, because: "the credential is no longer eligible for backup"),
    ]
  }

  // MARK: Step 21

  private static var signature: [AuthenticationScenario] {
    let invalid = CeremonyError.Code.authenticationSignatureInvalid
    let faults: [(String, Fault)] = [
      ("signed-by-another-key", .signedByAnotherKey), ("signed-in-another-ceremony", .signedInAnotherCeremony),
      ("signed-without-client-data", .signedWithoutHashing), ("signature-spoilt", .signatureBitFlipped),
      ("signature-cut", .signatureCut), ("signature-empty", .signatureEmpty),
      ("signature-trailing", .signatureTrailing), ("signature-of-zeros", .signatureOfZeros),
      ("signature-as-jose-has-it", .signatureOfJOSE),
    ]
    return faults.map { (name, fault) in
      AuthenticationScenario("authentication/\(name)", fault).refused(invalid, 21, "crypto.invalid-signature")
    } + [
      AuthenticationScenario("authentication/stored-key-cut")
        .configuring { $0.credential?.publicKey.removeLast() }
        .refused(
          .authenticationKeyMalformed, 21, "cose.malformed-cbor", "cbor.length-exceeds-input",
          because: "the stored key is truncated"),
      signedUnderSmallOrderKey("ed25519", .eddsa), signedUnderSmallOrderKey("ed448", .ed448),
    ]
  }

  /// The stored key is the neutral point. The signature R = neutral point, S = 0 is then valid for every message, without any
  /// private key.
  private static func signedUnderSmallOrderKey(_ curve: String, _ algorithm: COSEAlgorithm) -> AuthenticationScenario {
    AuthenticationScenario("authentication/signed-under-\(curve)-key-of-small-order", algorithm)
      .modifying { (signature: inout SignatureBytes) in
        let byteCount = signature.bytes.count / 2
        signature.bytes = Fault.neutralPoint(byteCount) + [UInt8](repeating: 0, count: byteCount)
      }
      .configuring { (settings) in
        guard let curve = algorithm.definition?.curve, let byteCount = curve.byteCount else { return }
        settings.credential?.publicKey = CBORWriter.bytes(
          of: [
            1: .integer(COSEKeyType.okp.rawValue), 3: .integer(algorithm.rawValue), -1: .integer(curve.rawValue),
            -2: .bytes(Fault.neutralPoint(byteCount)),
          ])
      }
      .refused(
        .authenticationKeyMalformed, 21, COSEError.Code.smallOrderPoint.rawValue,
        because: "the stored key is a point of small order, for which everyone can make signatures")
  }

  // MARK: Step 22

  private static var counter: [AuthenticationScenario] {
    let faults: [(String, Fault)] = [
      ("stands-still", .signCountStandsStill), ("goes-back", .signCountGoesBack),
      ("returns-to-zero", .signCountReturnsToZero),
    ]
    return faults.flatMap { (name, fault) in
      [
        AuthenticationScenario("authentication/counter-\(name)-and-is-reported", fault)
          .configuring { $0.credential?.signCount = 5 }
          .reporting { $0.suspiciousCounter = true },
        AuthenticationScenario("authentication/counter-\(name)", fault)
          .configuring { (settings) in
            settings.credential?.signCount = 5
            settings.policy.signCount = .refuse
          }
          .refused(.authenticationSignCountNotGreater, 22),
      ]
    }
  }

  // MARK: Step 23

  private static var extensions: [AuthenticationScenario] {
    [
      AuthenticationScenario("authentication/unrequested-extensions-passed-over", .extensionsUnrequested),
      AuthenticationScenario("authentication/unrequested-extension-of-the-authenticator", .extensionsUnrequested)
        .configuring { $0.policy.unrequestedExtensions = .refused }
        .refused(.authenticationExtensionNotRequested, 23),
      AuthenticationScenario("authentication/unrequested-extension-of-the-client", .clientExtensionUnrequested)
        .configuring { $0.policy.unrequestedExtensions = .refused }
        .refused(.authenticationExtensionNotRequested, 23),
    ]
  }
}
