// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyTesting
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// WebAuthn Level 3 §7.2, in the order of its steps.
enum AuthenticationScenarios {
  static var all: [AuthenticationScenario] {
    valid + beforeFirstStep + user + clientData + authenticatorData + signature + counter + extensions
  }

  private static func authentication(
    _ name: String, for algorithm: COSEAlgorithm = .es256, _ faults: Fault...
  ) -> AuthenticationScenario {
    AuthenticationScenario("authentication/\(name)", for: algorithm, faults)
  }

  // MARK: Valid ceremonies

  private static var valid: [AuthenticationScenario] {
    [
      authentication("plain"),
      authentication("user-from-response").configuring { $0.isFromResponse = true },
      authentication("user-handle-left-out", .userHandleLeftOut),
      authentication("no-credentials-named").configuring { $0.allowedCredentials = [] },
      authentication("one-of-several-credentials").configuring { (settings) in
        settings.allowedCredentials = [[1, 2, 3], settings.credential?.id ?? []]
      },
      authentication("user-verification-preferred", .userNotVerified).configuring { $0.userVerification = "preferred" },
      authentication("backed-up")
        .modifying(AuthenticatorDataDraft.self) { $0.flags.formUnion([.backupEligible, .backedUp]) }
        .configuring { $0.credential?.backupEligible = true },
      authentication("reserved-flags").modifying(AuthenticatorDataDraft.self) { $0.flags.formUnion(.reserved) },
      authentication("counter-goes-up")
        .modifying(AuthenticatorDataDraft.self) { $0.signCount = 6 }
        .configuring { (settings) in
          settings.credential?.signCount = 5
          settings.policy.signCount = .refuse
        },
      authentication("counter-begins")
        .modifying(AuthenticatorDataDraft.self) { $0.signCount = 1 }
        .configuring { $0.policy.signCount = .refuse },
      authentication("second-origin", .originOfAnotherHost)
        .configuring { $0.origins = [ScenarioDefaults.origin, "https://login.raxx.app"] },
      authentication("inside-a-page-that-is-allowed").modifying(ClientDataDraft.self) { (data) in
        data.crossOrigin = true
        data.topOrigin = .string(ScenarioDefaults.topOrigin)
      }
      .configuring { $0.topOrigins = [ScenarioDefaults.topOrigin] },
      authentication("client-data-with-null-members").modifying(ClientDataDraft.self) { (data) in
        data.crossOrigin = .null
        data.topOrigin = .null
      },
      authentication("asked-by-app-id").signedForAppID.reportingAppID.configuring { $0.appID = appID },
      authentication("app-id-not-used").configuring { $0.appID = appID },
      authentication("step-up").configuring { $0.purpose = order },
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
      authentication("finished-too-late")
        .configuring { $0.begun = $0.time - .seconds(301) }
        .refused(.expired, nil, because: "the response arrives 301 seconds after the ceremony began"),
      purposes("sign-in-used-as-step-up", .signIn, order),
      purposes("step-up-used-as-sign-in", order, .signIn),
      purposes("step-up-for-another-act", order, anotherOrder),
      purposes("step-up-in-another-session", order, orderInAnotherSession),
    ]
  }

  private static func purposes(_ name: String, _ begun: CasePurpose, _ used: CasePurpose) -> AuthenticationScenario {
    authentication(name)
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
      authentication("credential-not-asked-for")
        .configuring { $0.allowedCredentials = [[1, 2, 3]] }
        .refused(.authenticationCredentialNotAllowed, 5, because: "the credential is not in allowCredentials"),
      authentication("credential-of-another-id", .responseOfAnotherCredential)
        .refused(.authenticationCredentialNotAllowed, 5),
      authentication("record-of-another-credential", .responseOfAnotherCredential)
        .configuring { $0.isFromResponse = true }
        .refused(.authenticationCredentialMismatch, 6),
      authentication("credential-of-another-user")
        .configuring { $0.user = [UInt8](repeating: 0xc1, count: 32) }
        .refused(.authenticationUserHandleMismatch, 6, because: "the credential belongs to another user"),
      authentication("user-handle-of-another", .userHandleOfAnother).refused(.authenticationUserHandleMismatch, 6),
      authentication("user-handle-of-another-from-response", .userHandleOfAnother)
        .configuring { $0.isFromResponse = true }
        .refused(.authenticationUserHandleMismatch, 6),
      authentication("user-handle-missing", .userHandleLeftOut)
        .configuring { $0.isFromResponse = true }
        .refused(.authenticationUserHandleMissing, 6),
    ]
  }

  // MARK: Steps 9 to 14

  private static var clientData: [AuthenticationScenario] {
    let malformed = CeremonyError.Code.authenticationClientDataMalformed
    return [
      authentication("client-data-not-json", .clientDataNotJSON)
        .refused(malformed, 9, "client-data.malformed", "json.truncated"),
      authentication("challenge-twice", .challengeTwice)
        .refused(malformed, 9, "client-data.malformed", "json.duplicate-name"),
      authentication("challenge-missing", .challengeMissing).refused(malformed, 9, "client-data.missing-member"),
      authentication("origin-not-text", .originNotText)
        .refused(malformed, 9, "client-data.invalid-member", "json.wrong-type"),
      authentication("type-of-registration", .typeOfRegistration).refused(.authenticationTypeMismatch, 10),
      authentication("type-of-payment", .typeOfPayment).refused(.authenticationTypeMismatch, 10),
      authentication("challenge-of-another-ceremony", .challengeOfAnotherCeremony)
        .refused(.authenticationChallengeMismatch, 11),
      authentication("challenge-cut", .challengeCut).refused(.authenticationChallengeMismatch, 11),
      authentication("challenge-empty", .challengeEmpty).refused(.authenticationChallengeMismatch, 11),
    ]
      + origins + [
        authentication("cross-origin", .crossOrigin).refused(.authenticationCrossOriginRefused, 13),
        authentication("cross-origin-with-top-origin", .topOriginOfAnotherSite)
          .refused(.authenticationCrossOriginRefused, 13),
        authentication("top-origin-without-cross-origin", .topOriginWithoutCrossOrigin)
          .refused(.authenticationCrossOriginRefused, 14),
        authentication("top-origin-of-another-site", .topOriginOfAnotherSite)
          .configuring { $0.topOrigins = [ScenarioDefaults.topOrigin] }
          .refused(.authenticationTopOriginMismatch, 14),
      ]
  }

  private static var origins: [AuthenticationScenario] {
    RegistrationScenarios.originFaults.map { (name, fault) in
      authentication("origin-\(name)", fault).refused(.authenticationOriginMismatch, 12)
    }
  }

  // MARK: Steps 7 and 15 to 19

  private static var authenticatorData: [AuthenticationScenario] {
    let malformed = CeremonyError.Code.authenticationAuthenticatorDataMalformed
    return [
      authentication("authenticator-data-cut", .authenticatorDataCut)
        .refused(malformed, 7, "authenticator-data.truncated", "bytes.truncated"),
      authentication("authenticator-data-trailing", .authenticatorDataTrailing)
        .refused(malformed, 7, "authenticator-data.trailing-bytes"),
      authentication("authenticator-data-without-extensions", .authenticatorDataWithoutExtensions)
        .refused(malformed, 7, "authenticator-data.malformed-extensions", "cbor.truncated"),
      authentication("extensions-not-a-map", .extensionsNotAMap)
        .refused(malformed, 7, "authenticator-data.malformed-extensions"),
      authentication("rp-id-of-another-site", .relyingPartyOfAnotherSite)
        .refused(.authenticationRelyingPartyIDMismatch, 15),
      authentication("app-id-not-asked-for").signedForAppID.reportingAppID
        .refused(
          .authenticationRelyingPartyIDMismatch, 15,
          because: "the RP ID hash is that of an AppID that was not requested"),
      authentication("app-id-not-admitted").signedForAppID.configuring { $0.appID = appID }
        .refused(
          .authenticationRelyingPartyIDMismatch, 15,
          because: "the RP ID hash is that of the AppID, but the client does not report its use"),
      authentication("user-not-present", .userNotPresent).refused(.authenticationUserNotPresent, 16),
      authentication("user-not-verified", .userNotVerified).refused(.authenticationUserNotVerified, 17),
      authentication("step-up-without-user-verification", .userNotVerified)
        .configuring { (settings) in
          settings.userVerification = "discouraged"
          settings.purpose = order
        }
        .refused(.authenticationUserNotVerified, 17),
      authentication("user-verification-not-initialized")
        .configuring { $0.credential?.uvInitialized = false }
        .refused(
          .authenticationUserVerificationNotInitialized, 17,
          because: "the credential was registered without user verification, so its UV flag is not a factor"),
      authentication("user-verification-not-initialized-and-reported")
        .configuring { (settings) in
          settings.credential?.uvInitialized = false
          settings.policy.uninitializedUserVerification = .report
        },
      authentication("user-verification-not-initialized-and-preferred")
        .configuring { (settings) in
          settings.credential?.uvInitialized = false
          settings.userVerification = "preferred"
        },
      authentication("step-up-with-user-verification-not-initialized")
        .configuring { (settings) in
          settings.credential?.uvInitialized = false
          settings.policy.uninitializedUserVerification = .report
          settings.purpose = order
        }
        .refused(
          .authenticationUserVerificationNotInitialized, 17,
          because: "the credential was registered without user verification, so it cannot confirm an action"),
      authentication("backed-up-without-eligibility", .backedUpWithoutEligibility)
        .refused(.authenticationBackupStateInvalid, 18),
      authentication("backup-eligibility-gained-and-reported", .backupEligibilityGained)
        .reporting { $0.backupEligibilityChanged = true },
      authentication("backup-eligibility-gained", .backupEligibilityGained)
        .configuring { $0.policy.backupEligibilityChange = .refuse }
        .refused(.authenticationBackupEligibilityChanged, 19),
      authentication("backup-eligibility-lost").configuring { (settings) in
        settings.credential?.backupEligible = true
        settings.policy.backupEligibilityChange = .refuse
      }
      .refused(
        .authenticationBackupEligibilityChanged, 19, because: "the credential is no longer eligible for backup"),
    ]
  }

  // MARK: Step 21

  private static var signature: [AuthenticationScenario] {
    let faults: [(String, Fault)] = [
      ("signed-by-another-key", .signedByAnotherKey), ("signed-in-another-ceremony", .signedInAnotherCeremony),
      ("signed-without-client-data", .signedWithoutHashing), ("signature-spoilt", .signatureBitFlipped),
      ("signature-cut", .signatureCut), ("signature-empty", .signatureEmpty),
      ("signature-trailing", .signatureTrailing), ("signature-of-zeros", .signatureOfZeros),
      ("signature-as-jose-has-it", .signatureOfJOSE),
    ]
    return faults.map { (name, fault) in
      authentication(name, fault).refused(.authenticationSignatureInvalid, 21, "crypto.invalid-signature")
    } + [
      authentication("stored-key-cut")
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
    authentication("signed-under-\(curve)-key-of-small-order", for: algorithm)
      .modifying(SignatureBytes.self) { (signature) in
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
        authentication("counter-\(name)-and-is-reported", fault)
          .configuring { $0.credential?.signCount = 5 }
          .reporting { $0.suspiciousCounter = true },
        authentication("counter-\(name)", fault)
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
      authentication("unrequested-extensions-passed-over", .extensionsUnrequested),
      authentication("unrequested-extension-of-the-authenticator", .extensionsUnrequested)
        .configuring { $0.policy.unrequestedExtensions = .refused }
        .refused(.authenticationExtensionNotRequested, 23),
      authentication("unrequested-extension-of-the-client", .clientExtensionUnrequested)
        .configuring { $0.policy.unrequestedExtensions = .refused }
        .refused(.authenticationExtensionNotRequested, 23),
    ]
  }
}

/// An AppID, which U2F used in the place of an RP ID.
private let appID = "https://raxx.app/appid.json"

extension AuthenticationScenario {
  /// The scenario with the hash of the AppID instead of that of the RP ID.
  fileprivate var signedForAppID: Self {
    modifying(AuthenticatorDataDraft.self) { $0.relyingPartyIDHash = Digest.sha256([UInt8](appID.utf8)[...]) }
  }

  /// The scenario with a client that reports the use of the AppID.
  fileprivate var reportingAppID: Self {
    modifying(ResponseDraft.self) { $0.clientExtensionResults = .object(["appid": true]) }
  }
}
