// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// Responses that fail before the first step (WebAuthn §5.1), and deviations that are accepted.
enum ResponseScenarios {
  static var all: [any Scenario] { tolerated + registrations + authentications }

  // MARK: Deviations of real clients, which are accepted

  private static var tolerated: [any Scenario] {
    let withoutResults: @Sendable (inout ResponseDraft) -> Void = { $0.clientExtensionResults = nil }
    let withEmptyHandle: @Sendable (inout ResponseDraft) -> Void = { $0["userHandle"] = "" }
    return [
      RegistrationScenario("responses/registration-without-extension-results").modifying(withoutResults),
      RegistrationScenario("responses/registration-copies-that-do-not-decode").modifying {
        (draft: inout ResponseDraft) in
        draft["authenticatorData"] = "a+b/"
        draft["publicKey"] = "a+b/"
        draft["publicKeyAlgorithm"] = "ES256"
      },
      AuthenticationScenario("responses/authentication-without-extension-results").modifying(withoutResults),
      AuthenticationScenario("responses/authentication-user-handle-empty").modifying(withEmptyHandle),
      AuthenticationScenario("responses/authentication-user-handle-empty-from-response").modifying(withEmptyHandle)
        .configuring { $0.isFromResponse = true }
        .refused(.authenticationUserHandleMissing, 6, because: "an empty user handle names no user"),
    ]
  }

  // MARK: Malformed responses

  private static var registrations: [RegistrationScenario] {
    [
      RegistrationScenario("responses/registration-not-an-object", .responseNotAnObject)
        .refusedBeforeSteps(.registrationResponseMalformed, "json.wrong-type"),
      RegistrationScenario("responses/registration-without-id", .responseIDMissing)
        .refusedBeforeSteps(.registrationResponseMissingMember),
      RegistrationScenario("responses/registration-without-client-data", .responseWithout("clientDataJSON"))
        .refusedBeforeSteps(.registrationResponseMissingMember),
      RegistrationScenario("responses/registration-without-attestation-object", .responseWithout("attestationObject"))
        .refusedBeforeSteps(.registrationResponseMissingMember),
      RegistrationScenario("responses/registration-client-data-not-base64url", .responseNotBase64URL("clientDataJSON"))
        .refusedBeforeSteps(.registrationResponseInvalidMember, "base64.invalid-character"),
      RegistrationScenario("responses/registration-id-empty", .responseIDEmpty)
        .refusedBeforeSteps(.credentialIDInvalidLength),
      RegistrationScenario("responses/registration-id-too-long", .responseIDTooLong)
        .refusedBeforeSteps(.credentialIDInvalidLength),
      RegistrationScenario("responses/registration-credential-id-too-long", .credentialIDTooLong)
        .refusedBeforeSteps(.credentialIDInvalidLength),
      RegistrationScenario("responses/registration-ids-disagree", .responseIDsDisagree)
        .refusedBeforeSteps(.registrationResponseIDMismatch),
      RegistrationScenario("responses/registration-of-unknown-type", .responseOfUnknownType)
        .refusedBeforeSteps(.registrationResponseUnknownType),
    ]
  }

  private static var authentications: [AuthenticationScenario] {
    [
      AuthenticationScenario("responses/authentication-not-an-object", .responseNotAnObject)
        .refusedBeforeSteps(.authenticationResponseMalformed, "json.wrong-type"),
      AuthenticationScenario("responses/authentication-without-id", .responseIDMissing)
        .refusedBeforeSteps(.authenticationResponseMissingMember),
      AuthenticationScenario("responses/authentication-without-signature", .responseWithout("signature"))
        .refusedBeforeSteps(.authenticationResponseMissingMember),
      AuthenticationScenario(
        "responses/authentication-signature-not-base64url", .responseNotBase64URL("signature")
      )
      .refusedBeforeSteps(.authenticationResponseInvalidMember, "base64.invalid-character"),
      AuthenticationScenario("responses/authentication-id-too-long", .responseIDTooLong)
        .refusedBeforeSteps(.credentialIDInvalidLength),
      AuthenticationScenario("responses/authentication-user-handle-too-long", .userHandleTooLong)
        .refusedBeforeSteps(.userHandleInvalidLength),
      AuthenticationScenario("responses/authentication-ids-disagree", .responseIDsDisagree)
        .refusedBeforeSteps(.authenticationResponseIDMismatch),
      AuthenticationScenario("responses/authentication-of-unknown-type", .responseOfUnknownType)
        .refusedBeforeSteps(.authenticationResponseUnknownType),
    ]
  }
}
