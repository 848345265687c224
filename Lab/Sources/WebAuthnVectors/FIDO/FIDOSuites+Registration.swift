// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyTesting
internal import WebAuthnAttestation
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

extension FIDOSuite {
  static let registrations: [FIDOSuite] = [
    FIDOSuite("ServerPublicKeyCredentialCreationOptions-Req-1", creationOptions),
    FIDOSuite("ServerAuthenticatorAttestationResponse-Resp-1", registrationMembers),
    FIDOSuite("ServerAuthenticatorAttestationResponse-Resp-2", registrationClientData),
    FIDOSuite("ServerAuthenticatorAttestationResponse-Resp-3", attestationObject),
    FIDOSuite("ServerAuthenticatorAttestationResponse-Resp-4", algorithms),
    FIDOSuite("ServerAuthenticatorAttestationResponse-Resp-5", fullAttestation),
    FIDOSuite("ServerAuthenticatorAttestationResponse-Resp-6", selfAttestation),
    FIDOSuite("ServerAuthenticatorAttestationResponse-Resp-7", noAttestation),
    FIDOSuite("ServerAuthenticatorAttestationResponse-Resp-8", securityKeys),
    FIDOSuite("ServerAuthenticatorAttestationResponse-Resp-9", trustedPlatformModules),
    FIDOSuite("ServerAuthenticatorAttestationResponse-Resp-A", androidKeys),
  ]

  private static let creationOptions: [FIDOTest] = [
    .options(.creationMembers, "P-1", "creation options have every member, and the requested extension"),
    .options(.attestationNone, "P-2", "creation options ask for no attestation if the request does"),
    .options(.creationChallenges, "P-3", "two creation options have different challenges"),
    .options(.userVerificationRequired, "P-4", "creation options require user verification if the request does"),
  ]

  private static let registrationMembers: [FIDOTest] = [
    .options(.exclusion, "P-1", "a new passkey is accepted, and the next creation options exclude it"),
    .register("F-1", .responseIDMissing).unreadable(.registrationResponseMissingMember),
    .register("F-2", .responseIDNotText).unreadable(.registrationResponseInvalidMember, "json.wrong-type"),
    .register("F-3", .responseIDNotBase64URL).unreadable(.registrationResponseIDMismatch).noting(FIDOTest.idNote),
    .register("F-4", .responseTypeMissing).unreadable(.registrationResponseMissingMember),
    .register("F-5", .responseTypeNotText).unreadable(.registrationResponseInvalidMember, "json.wrong-type"),
    .register("F-6", .responseOfUnknownType).unreadable(.registrationResponseUnknownType),
    .register("F-7", .innerResponseMissing).unreadable(.registrationResponseMissingMember),
    .register("F-8", .innerResponseNotAnObject).unreadable(.registrationResponseInvalidMember, "json.wrong-type"),
    .register("F-9", .responseWithout("clientDataJSON")).unreadable(.registrationResponseMissingMember),
    .register("F-10", .responseWithNumber(for: "clientDataJSON"))
      .unreadable(.registrationResponseInvalidMember, "json.wrong-type"),
    .register("F-11", .responseWithEmpty("clientDataJSON"))
      .refused(.registrationClientDataMalformed, 6, "client-data.malformed", "json.truncated"),
    .register("F-12", .responseWithout("attestationObject")).unreadable(.registrationResponseMissingMember),
    .register("F-13", .responseWithNumber(for: "attestationObject"))
      .unreadable(.registrationResponseInvalidMember, "json.wrong-type"),
    .register("F-14", .responseWithEmpty("attestationObject"))
      .refused(.registrationAttestationObjectMalformed, 13, "attestation-object.malformed", "cbor.truncated"),
    .register("F-15", .userNotVerified).asking { $0.userVerification = "required" }
      .refused(.registrationUserNotVerified, 16),
  ]

  private static let registrationClientData: [FIDOTest] = [
    malformed("F-1", .typeMissing, "client-data.missing-member"),
    malformed("F-2", .typeNotText, "client-data.invalid-member", "json.wrong-type"),
    .register("F-3", .typeEmpty).refused(.registrationTypeMismatch, 7),
    .register("F-4", .typeUnknown).refused(.registrationTypeMismatch, 7),
    .register("F-5", .typeOfAuthentication).refused(.registrationTypeMismatch, 7),
    malformed("F-6", .challengeMissing, "client-data.missing-member"),
    malformed("F-7", .challengeNotText, "client-data.invalid-member", "json.wrong-type"),
    .register("F-8", .challengeEmpty).refused(.registrationChallengeMismatch, 8),
    malformed("F-9", .challengeNotBase64URL, "client-data.invalid-member", "base64.invalid-character"),
    .register("F-10", .challengeOfAnotherCeremony).refused(.registrationChallengeMismatch, 8),
    malformed("F-11", .originMissing, "client-data.missing-member"),
    malformed("F-12", .originNotText, "client-data.invalid-member", "json.wrong-type"),
    .register("F-13", .originEmpty).refused(.registrationOriginMismatch, 9),
    .register("F-14", .originOfAnotherSite).refused(.registrationOriginMismatch, 9),
    malformed("F-15", .tokenBindingNotAnObject, "client-data.invalid-member", "json.wrong-type"),
    malformed("F-16", .tokenBindingWithoutStatus, "client-data.missing-member"),
    malformed("F-17", .tokenBindingOfUnknownStatus, "client-data.invalid-member"),
  ]

  private static func malformed(_ name: String, _ fault: Fault, _ causes: String...) -> FIDOTest {
    FIDOTest.register(name, fault).refused(CeremonyError.Code.registrationClientDataMalformed.rawValue, 6, causes)
  }

  private static let attestationObject: [FIDOTest] = [
    .register("P-1", saying: "the authenticator adds an extension output", .extensionsUnrequested),
    object("F-1", .attestationObjectNotAMap, "attestation-object.malformed", "cbor.wrong-type"),
    object("F-2", .formatMissing, "attestation-object.missing-member"),
    object("F-3", .formatNotText, "attestation-object.invalid-member", "cbor.wrong-type"),
    object("F-4", .statementMissing, "attestation-object.missing-member"),
    object("F-5", .statementNotAMap, "attestation-object.invalid-member", "cbor.wrong-type"),
    object("F-6", .authenticatorDataMissing, "attestation-object.missing-member"),
    object("F-7", .authenticatorDataNotBytes, "attestation-object.invalid-member", "cbor.wrong-type"),
    object("F-8", .authenticatorDataEmpty, "authenticator-data.truncated", "bytes.truncated"),
    object("F-9", .credentialNotFlagged, "authenticator-data.trailing-bytes"),
    .register("F-10", .credentialLeftOut).refused(.registrationCredentialDataMissing, 13),
    object("F-11", .credentialCutOff, "authenticator-data.truncated", "bytes.truncated"),
    object("F-12", .authenticatorDataTrailing, "authenticator-data.trailing-bytes"),
    .register("F-13", .statementEmpty).statementRefused(.malformedStatement, "cbor.missing-key"),
    .register("F-14", .statementWithout("alg", in: .packed)).statementRefused(.malformedStatement, "cbor.missing-key"),
    .register("F-15", .statementWithBoolean(for: "alg", in: .packed))
      .statementRefused(.malformedStatement, "cbor.wrong-type"),
    .register("F-16", .algorithmOfAnotherKey(in: .packed)).statementRefused(.algorithmMismatch, "crypto.key-mismatch")
      .noting("The library compares the algorithm with the certificate's key, not with the metadata's list."),
    .register("F-17", .statementWithout("sig", in: .packed)).statementRefused(.malformedStatement, "cbor.missing-key"),
    .register("F-18", .statementWithBoolean(for: "sig", in: .packed))
      .statementRefused(.malformedStatement, "cbor.wrong-type"),
    .register("F-19", .statementSignatureEmpty).statementRefused(.invalidSignature, "crypto.invalid-signature"),
  ]

  private static func object(_ name: String, _ fault: Fault, _ causes: String...) -> FIDOTest {
    FIDOTest.register(name, fault)
      .refused(CeremonyError.Code.registrationAttestationObjectMalformed.rawValue, 13, causes)
  }

  private static let algorithms: [FIDOTest] = [
    credential("P-1", .es256k), credential("P-2", .ps256), credential("P-3", .ps384), credential("P-4", .ps512),
    credential("P-5", .rs256), credential("P-6", .rs384), credential("P-7", .rs512),
    credential("P-8", .es256)
      .noting("The test's name says RS1, which this library refuses for credentials. The tool is said to send ES256."),
    credential("P-9", .es256), credential("P-10", .es384), credential("P-11", .es512), credential("P-12", .eddsa),
  ]

  private static func credential(_ name: String, _ algorithm: COSEAlgorithm) -> FIDOTest {
    .register(
      name, saying: "a credential of \(algorithm) attests itself", for: algorithm, by: .selfSigned, of: .selfAttesting)
  }

  private static let fullAttestation: [FIDOTest] = [
    .register("P-1", saying: "a batch key below the anchor signs"),
    .register(
      "P-2", saying: "an intermediate authority links the batch key to the anchor", by: .packed(.es256, .intermediate)),
    .register("P-3", saying: "the metadata name the batch certificate as the anchor", of: .batchAnchor),
    .register("P-4", saying: "the basic constraints of the anchor are critical"),
    .register("P-5", saying: "the metadata list vendor commands with numbers of 64 bits", of: .vendorCommands),
    .register("F-1", .formatUnknown).refused(.registrationFormatUnknown, 21),
    .register("F-2", .signatureBitFlipped(in: .packed))
      .statementRefused(.invalidSignature, "crypto.invalid-signature"),
    .register("F-3", .certificatesLeftOut(in: .packed))
      .statementRefused(.invalidSignature, "crypto.invalid-signature"),
    .register("F-4", .statementWithBoolean(for: "x5c", in: .packed))
      .statementRefused(.malformedStatement, "cbor.wrong-type"),
    .register("F-5", .certificatesEmpty(in: .packed)).statementRefused(.malformedStatement),
    .register("F-6", .certificateExpired).untrusted(.unanchoredNotAcceptable, "certificate.expired"),
    .register("F-7", .certificateNotYetValid).untrusted(.unanchoredNotAcceptable, "certificate.not-yet-valid"),
    .register("F-8", .certificateOnAnotherCurve).statementRefused(.algorithmMismatch, "crypto.key-mismatch")
      .noting("The library compares the key with the statement's algorithm, not with the metadata's list."),
    .register("F-9", saying: "an impostor in the name of the anchor issued it", by: .packed(.es256, .impostor))
      .untrusted(.unanchoredNotAcceptable, "certificate.invalid-signature"),
    .register("F-10", by: .packed(.es256, .intermediate), .certificatesWithAnchor).statementRefused(.certificateCount),
    .register("F-11", by: .packed(.es256, .intermediate), .certificatesReversed(in: .packed))
      .statementRefused(.invalidSignature, "crypto.invalid-signature"),
    .register("F-12", saying: "the intermediate authority has expired", by: .packed(.es256, .intermediateExpired))
      .untrusted(.unanchoredNotAcceptable, "certificate.expired"),
    .register("F-13", .certificateForAnotherKey).statementRefused(.invalidSignature, "crypto.invalid-signature"),
    .register("F-14", by: .selfSigned, .signedByCredentialKey)
      .statementRefused(.invalidSignature, "crypto.invalid-signature"),
  ]

  private static let selfAttestation: [FIDOTest] = [
    .register("P-1", saying: "the credential key attests itself", by: .selfSigned, of: .selfAttesting),
    .register("F-1", by: .selfSigned, of: .selfAttesting, .signatureBitFlipped(in: .packed))
      .statementRefused(.invalidSignature, "crypto.invalid-signature"),
    .register("F-2", saying: "a batch key signs for a model that only attests itself", of: .selfAttesting)
      .untrusted(.unanchoredNotAcceptable),
    .register("F-3", by: .selfSigned, of: .selfAttesting, .formatUnknown).refused(.registrationFormatUnknown, 21),
  ]

  private static let noAttestation: [FIDOTest] = [
    .register("P-1", saying: "there is no attestation, as requested", by: .none).asking { $0.attestation = "none" },
    .register(
      "P-2", saying: "the credential key attests itself, although no attestation was requested", by: .selfSigned,
      of: .selfAttesting
    ).asking { $0.attestation = "none" },
    .register("F-1", .formatNone).asking { $0.attestation = "none" }.statementRefused(.statementNotEmpty),
  ]

  private static let securityKeys: [FIDOTest] = [
    .register("P-1", saying: "a U2F security key attests", by: .fidoU2F, of: .securityKey),
    .register("F-1", by: .fidoU2F, of: .securityKey, .modelInFIDOU2F).statementRefused(.aaguidNotZero),
    .register("F-2", by: .fidoU2F, of: .securityKey, .signatureBitFlipped(in: .fidoU2F))
      .statementRefused(.invalidSignature, "crypto.invalid-signature"),
  ]

  private static let trustedPlatformModules: [FIDOTest] = [
    .register("P-1", saying: "a TPM attests by RSA over SHA-256", for: .rs256, by: .tpm(.rs256), of: .tpm),
    .register("P-2", saying: "a TPM attests by RSA over SHA-1", for: .rs256, by: .tpm(.rs1), of: .tpm),
    .register("P-4", saying: "a TPM attests by ECDSA", by: .tpm(), of: .tpm),
    .register("F-1", by: .tpm(), of: .tpm, .authorityFirst).statementRefused(.certificateSubject),
    .register("F-2", by: .tpm(), of: .tpm, .tpmExtraData).statementRefused(.tpmExtraDataMismatch),
    .register("F-3", by: .tpm(), of: .tpm, .tpmMagic).statementRefused(.tpmMagic),
    .register("F-4", by: .tpm(), of: .tpm, .tpmPublicAreaOfAnotherKey).statementRefused(.publicKeyMismatch),
  ]

  private static let androidKeys: [FIDOTest] = [
    .register("P-1", saying: "the key store of Android attests", by: .androidKey, of: .androidKeyStore),
    .register("F-1", by: .androidKey, of: .androidKeyStore, .androidChallenge)
      .statementRefused(.androidChallengeMismatch),
    .register("F-2", by: .androidKey, of: .androidKeyStore, .certificateForAnotherKey)
      .statementRefused(.invalidSignature, "crypto.invalid-signature"),
    .register("F-3", by: .androidKey, of: .androidKeyStore, .certificatesReversed(in: .androidKey))
      .statementRefused(.invalidSignature, "crypto.invalid-signature"),
  ]
}
