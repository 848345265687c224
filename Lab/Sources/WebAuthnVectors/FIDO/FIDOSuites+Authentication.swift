// SPDX-License-Identifier: Apache-2.0

internal import PasskeyTesting
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

extension FIDOSuite {
  static let authentications: [FIDOSuite] = [
    FIDOSuite("ServerPublicKeyCredentialGetOptionsResponse-Req-1", requestOptions),
    FIDOSuite("ServerAuthenticatorAssertionResponse-Resp-1", signInMembers),
    FIDOSuite("ServerAuthenticatorAssertionResponse-Resp-2", signInClientData),
    FIDOSuite("ServerAuthenticatorAssertionResponse-Resp-3", authenticatorData),
  ]

  private static let requestOptions: [FIDOTest] = [
    .options(.requestMembers, "P-1", "request options have every member, and name the new passkey"),
    .options(.requestChallenges, "P-2", "two request options have different challenges"),
  ]

  private static let signInMembers: [FIDOTest] = [
    .signIn("P-1", saying: "a sign-in without a fault"),
    .signIn("F-1", .responseIDMissing).unreadable(.authenticationResponseMissingMember),
    .signIn("F-2", .responseIDNotText).unreadable(.authenticationResponseInvalidMember, "json.wrong-type"),
    .signIn("F-3", .responseIDNotBase64URL).unreadable(.authenticationResponseIDMismatch).noting(FIDOTest.idNote),
    .signIn("F-4", .responseTypeMissing).unreadable(.authenticationResponseMissingMember),
    .signIn("F-5", .responseTypeNotText).unreadable(.authenticationResponseInvalidMember, "json.wrong-type"),
    .signIn("F-6", .responseOfUnknownType).unreadable(.authenticationResponseUnknownType),
    .signIn("F-7", .innerResponseMissing).unreadable(.authenticationResponseMissingMember),
    .signIn("F-8", .innerResponseNotAnObject).unreadable(.authenticationResponseInvalidMember, "json.wrong-type"),
    .signIn("F-9", .responseWithout("clientDataJSON")).unreadable(.authenticationResponseMissingMember),
    .signIn("F-10", .responseWithNumber(for: "clientDataJSON"))
      .unreadable(.authenticationResponseInvalidMember, "json.wrong-type"),
    malformed("F-11", .responseWithEmpty("clientDataJSON"), "client-data.malformed", "json.truncated"),
    .signIn("F-12", .responseWithout("authenticatorData")).unreadable(.authenticationResponseMissingMember),
    .signIn("F-13", .responseWithNumber(for: "authenticatorData"))
      .unreadable(.authenticationResponseInvalidMember, "json.wrong-type"),
    .signIn("F-14", .responseNotBase64URL("authenticatorData"))
      .unreadable(.authenticationResponseInvalidMember, "base64.invalid-character"),
    .signIn("F-15", .responseWithEmpty("authenticatorData"))
      .refused(.authenticationAuthenticatorDataMalformed, 7, "authenticator-data.truncated", "bytes.truncated"),
    .signIn("F-16", .responseWithout("signature")).unreadable(.authenticationResponseMissingMember),
    .signIn("F-17", .responseWithNumber(for: "signature"))
      .unreadable(.authenticationResponseInvalidMember, "json.wrong-type"),
    .signIn("F-18", .responseNotBase64URL("signature"))
      .unreadable(.authenticationResponseInvalidMember, "base64.invalid-character"),
    .signIn("F-19", .responseWithEmpty("signature"))
      .refused(.authenticationSignatureInvalid, 21, "crypto.invalid-signature"),
    .signIn("F-20", .signedByAnotherKey).refused(.authenticationSignatureInvalid, 21, "crypto.invalid-signature"),
    .signIn("F-21", .responseWithNumber(for: "userHandle"))
      .unreadable(.authenticationResponseInvalidMember, "json.wrong-type"),
  ]

  private static let signInClientData: [FIDOTest] = [
    malformed("F-1", .typeMissing, "client-data.missing-member"),
    malformed("F-2", .typeNotText, "client-data.invalid-member", "json.wrong-type"),
    .signIn("F-3", .typeEmpty).refused(.authenticationTypeMismatch, 10),
    .signIn("F-4", .typeUnknown).refused(.authenticationTypeMismatch, 10),
    .signIn("F-5", .typeOfRegistration).refused(.authenticationTypeMismatch, 10),
    malformed("F-6", .challengeMissing, "client-data.missing-member"),
    malformed("F-7", .challengeNotText, "client-data.invalid-member", "json.wrong-type"),
    .signIn("F-8", .challengeEmpty).refused(.authenticationChallengeMismatch, 11),
    malformed("F-9", .challengeNotBase64URL, "client-data.invalid-member", "base64.invalid-character"),
    .signIn("F-10", .challengeOfAnotherCeremony).refused(.authenticationChallengeMismatch, 11),
    malformed("F-11", .originMissing, "client-data.missing-member"),
    malformed("F-12", .originNotText, "client-data.invalid-member", "json.wrong-type"),
    .signIn("F-13", .originEmpty).refused(.authenticationOriginMismatch, 12),
    .signIn("F-14", .originOfAnotherSite).refused(.authenticationOriginMismatch, 12),
    malformed("F-15", .tokenBindingNotAnObject, "client-data.invalid-member", "json.wrong-type"),
    malformed("F-16", .tokenBindingWithoutStatus, "client-data.missing-member"),
    malformed("F-17", .tokenBindingOfUnknownStatus, "client-data.invalid-member"),
  ]

  private static func malformed(_ name: String, _ fault: Fault, _ causes: String...) -> FIDOTest {
    FIDOTest.signIn(name, fault).refused(CeremonyError.Code.authenticationClientDataMalformed.rawValue, 9, causes)
  }

  private static let authenticatorData: [FIDOTest] = [
    .signIn("P-1", saying: "the authenticator has no counter"),
    .signIn("P-2", saying: "the user is verified, as required").asking { $0.userVerification = "required" },
    .signIn("P-3", saying: "the user is not verified, which is preferred", .userNotVerified),
    .signIn("P-4", saying: "the user is verified, as preferred"),
    .signIn("P-5", saying: "the user is not verified, as requested", .userNotVerified)
      .asking { $0.userVerification = "discouraged" },
    .signIn("P-6", saying: "the user is verified, although this is discouraged")
      .asking { $0.userVerification = "discouraged" },
    .signIn("P-7", saying: "the authenticator adds an extension output", .extensionsUnrequested),
    .signIn("F-1", .authenticatorDataTrailing)
      .refused(.authenticationAuthenticatorDataMalformed, 7, "authenticator-data.trailing-bytes"),
    .signIn("F-2", .relyingPartyOfAnotherSite).refused(.authenticationRelyingPartyIDMismatch, 15),
    .signIn("F-3", .signedInAnotherCeremony).refused(.authenticationSignatureInvalid, 21, "crypto.invalid-signature"),
    .signIn("F-4", .signCountStandsStill).afterCounting(to: 5).refused(.authenticationSignCountNotGreater, 22),
    .signIn("F-5", .userNotVerified).asking { $0.userVerification = "required" }
      .refused(.authenticationUserNotVerified, 17),
  ]

  static let metadata = FIDOSuite(
    "MDS3",
    [
      .register("P-1", saying: "the valid BLOB lists the model", of: .certified),
      .register("F-1", saying: "the BLOB reports a compromise of the model's attestation key", of: .compromised)
        .untrusted(.authenticatorStatus),
      .register("F-2", saying: "the signature of the BLOB with the model is invalid", of: .inForgedBlob)
        .unknown(becauseOf: "metadata.invalid-signature", "crypto.invalid-signature"),
      .register("F-3", saying: "an impostor signed the BLOB with the model", of: .inUnanchoredBlob)
        .unknown(becauseOf: "metadata.untrusted-signer", "certificate.issuer-omitted")
        .noting("The impostor uses the root's name. The missing issuer may be revoked, which outranks the signature."),
      .register("F-4", saying: "an authority of the BLOB's signer was revoked", of: .belowRevokedAuthority)
        .unknown(becauseOf: "metadata.untrusted-signer", "certificate.revoked"),
      .register("F-5", saying: "the certificate of the BLOB's signer was revoked", of: .byRevokedSigner)
        .unknown(becauseOf: "metadata.untrusted-signer", "certificate.revoked"),
    ])
}
