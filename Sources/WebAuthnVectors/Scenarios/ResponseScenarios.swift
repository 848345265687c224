// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// Responses that fail before the first step (WebAuthn §5.1), and deviations that are accepted.
enum ResponseScenarios {
  static var all: [any Scenario] { tolerated + registrations + authentications }

  // MARK: Deviations that real clients have

  private static var tolerated: [any Scenario] {
    let withoutResults: @Sendable (inout ResponseDraft) -> Void = { $0.clientExtensionResults = nil }
    let withEmptyHandle: @Sendable (inout ResponseDraft) -> Void = { $0["userHandle"] = "" }
    return [
      RegistrationScenario("responses/registration-without-extension-results").making(withoutResults),
      RegistrationScenario("responses/registration-copies-that-do-not-decode").making { (draft: inout ResponseDraft) in
        draft["authenticatorData"] = "a+b/"
        draft["publicKey"] = "a+b/"
        draft["publicKeyAlgorithm"] = "ES256"
      },
      AuthenticationScenario("responses/authentication-without-extension-results").making(withoutResults),
      AuthenticationScenario("responses/authentication-user-handle-empty").making(withEmptyHandle),
      AuthenticationScenario("responses/authentication-user-handle-empty-from-response").making(withEmptyHandle)
        .demanding { $0.isFromResponse = true }
        .refused(.authenticationUserHandleMissing, 6, because: "an empty user handle names no user"),
    ]
  }

  // MARK: Responses that are not of the standard's form

  private static var registrations: [RegistrationScenario] {
    [
      RegistrationScenario("responses/registration-not-an-object", .responseNotAnObject)
        .unreadable(.registrationResponseMalformed, "json.wrong-type"),
      RegistrationScenario("responses/registration-without-id", .responseIDMissing)
        .unreadable(.registrationResponseMissingMember),
      RegistrationScenario("responses/registration-without-client-data", .responseWithout("clientDataJSON"))
        .unreadable(.registrationResponseMissingMember),
      RegistrationScenario("responses/registration-without-attestation-object", .responseWithout("attestationObject"))
        .unreadable(.registrationResponseMissingMember),
      RegistrationScenario("responses/registration-client-data-not-base64url", .responseNotBase64URL("clientDataJSON"))
        .unreadable(.registrationResponseInvalidMember, "base64.invalid-character"),
      RegistrationScenario("responses/registration-id-empty", .responseIDEmpty)
        .unreadable(.credentialIDInvalidLength),
      RegistrationScenario("responses/registration-id-too-long", .responseIDTooLong)
        .unreadable(.credentialIDInvalidLength),
      RegistrationScenario("responses/registration-credential-id-too-long", .credentialIDTooLong)
        .unreadable(.credentialIDInvalidLength),
      RegistrationScenario("responses/registration-ids-disagree", .responseIDsDisagree)
        .unreadable(.registrationResponseIDMismatch),
      RegistrationScenario("responses/registration-of-unknown-type", .responseOfUnknownType)
        .unreadable(.registrationResponseUnknownType),
    ]
  }

  private static var authentications: [AuthenticationScenario] {
    [
      AuthenticationScenario("responses/authentication-not-an-object", .responseNotAnObject)
        .unreadable(.authenticationResponseMalformed, "json.wrong-type"),
      AuthenticationScenario("responses/authentication-without-id", .responseIDMissing)
        .unreadable(.authenticationResponseMissingMember),
      AuthenticationScenario("responses/authentication-without-signature", .responseWithout("signature"))
        .unreadable(.authenticationResponseMissingMember),
      AuthenticationScenario(
        "responses/authentication-signature-not-base64url", .responseNotBase64URL("signature")
      )
      .unreadable(.authenticationResponseInvalidMember, "base64.invalid-character"),
      AuthenticationScenario("responses/authentication-id-too-long", .responseIDTooLong)
        .unreadable(.credentialIDInvalidLength),
      AuthenticationScenario("responses/authentication-user-handle-too-long", .userHandleTooLong)
        .unreadable(.userHandleInvalidLength),
      AuthenticationScenario("responses/authentication-ids-disagree", .responseIDsDisagree)
        .unreadable(.authenticationResponseIDMismatch),
      AuthenticationScenario("responses/authentication-of-unknown-type", .responseOfUnknownType)
        .unreadable(.authenticationResponseUnknownType),
    ]
  }
}
