// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyTesting
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// Responses that fail before the first step (WebAuthn §5.1), and deviations that are accepted.
enum ResponseScenarios {
  static var all: [any Scenario] { tolerated + registrations + authentications }

  private static let registration = RegistrationGroup("responses/registration-")

  private static func authentication(_ name: String, _ faults: Fault...) -> AuthenticationScenario {
    AuthenticationScenario("responses/authentication-\(name)", faults)
  }

  // MARK: Deviations of real clients, which are accepted

  private static var tolerated: [any Scenario] {
    [
      registration("without-extension-results").modifying(ResponseDraft.self) { $0.clientExtensionResults = nil },
      registration("copies-that-do-not-decode").modifying(ResponseDraft.self) { (draft) in
        draft["authenticatorData"] = "a+b/"
        draft["publicKey"] = "a+b/"
        draft["publicKeyAlgorithm"] = "ES256"
      },
      authentication("without-extension-results").modifying(ResponseDraft.self) { $0.clientExtensionResults = nil },
      authentication("user-handle-empty").modifying(ResponseDraft.self) { $0["userHandle"] = "" },
      authentication("user-handle-empty-from-response")
        .modifying(ResponseDraft.self) { $0["userHandle"] = "" }
        .configuring { $0.isFromResponse = true }
        .refused(.authenticationUserHandleMissing, 6, because: "an empty user handle names no user"),
    ]
  }

  // MARK: Malformed responses

  private static var registrations: [RegistrationScenario] {
    [
      registration("not-an-object", .responseNotAnObject)
        .refusedBeforeSteps(.registrationResponseMalformed, "json.wrong-type"),
      registration("without-id", .responseIDMissing).refusedBeforeSteps(.registrationResponseMissingMember),
      registration("without-client-data", .responseWithout("clientDataJSON"))
        .refusedBeforeSteps(.registrationResponseMissingMember),
      registration("without-attestation-object", .responseWithout("attestationObject"))
        .refusedBeforeSteps(.registrationResponseMissingMember),
      registration("client-data-not-base64url", .responseNotBase64URL("clientDataJSON"))
        .refusedBeforeSteps(.registrationResponseInvalidMember, "base64.invalid-character"),
      registration("id-empty", .responseIDEmpty).refusedBeforeSteps(.credentialIDInvalidLength),
      registration("id-too-long", .responseIDTooLong).refusedBeforeSteps(.credentialIDInvalidLength),
      registration("credential-id-too-long", .credentialIDTooLong).refusedBeforeSteps(.credentialIDInvalidLength),
      registration("ids-disagree", .responseIDsDisagree).refusedBeforeSteps(.registrationResponseIDMismatch),
      registration("of-unknown-type", .responseOfUnknownType).refusedBeforeSteps(.registrationResponseUnknownType),
    ]
  }

  private static var authentications: [AuthenticationScenario] {
    [
      authentication("not-an-object", .responseNotAnObject)
        .refusedBeforeSteps(.authenticationResponseMalformed, "json.wrong-type"),
      authentication("without-id", .responseIDMissing).refusedBeforeSteps(.authenticationResponseMissingMember),
      authentication("without-signature", .responseWithout("signature"))
        .refusedBeforeSteps(.authenticationResponseMissingMember),
      authentication("signature-not-base64url", .responseNotBase64URL("signature"))
        .refusedBeforeSteps(.authenticationResponseInvalidMember, "base64.invalid-character"),
      authentication("id-too-long", .responseIDTooLong).refusedBeforeSteps(.credentialIDInvalidLength),
      authentication("user-handle-too-long", .userHandleTooLong).refusedBeforeSteps(.userHandleInvalidLength),
      authentication("ids-disagree", .responseIDsDisagree).refusedBeforeSteps(.authenticationResponseIDMismatch),
      authentication("of-unknown-type", .responseOfUnknownType).refusedBeforeSteps(.authenticationResponseUnknownType),
    ]
  }
}
