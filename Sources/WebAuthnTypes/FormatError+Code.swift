// SPDX-License-Identifier: Apache-2.0

extension FormatError {
  /// The causes. Raw values are stable: they are only ever added to.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    // Authenticator data
    case authenticatorDataTruncated = "authenticator-data.truncated"
    case authenticatorDataTrailingBytes = "authenticator-data.trailing-bytes"
    case authenticatorDataMalformedKey = "authenticator-data.malformed-key"
    case authenticatorDataMalformedExtensions = "authenticator-data.malformed-extensions"

    // Attestation objects
    case attestationObjectMalformed = "attestation-object.malformed"
    case attestationObjectMissingMember = "attestation-object.missing-member"
    case attestationObjectInvalidMember = "attestation-object.invalid-member"

    // Client data
    case clientDataMalformed = "client-data.malformed"
    case clientDataMissingMember = "client-data.missing-member"
    case clientDataInvalidMember = "client-data.invalid-member"

    // Names and identifiers
    case credentialIDInvalidLength = "credential-id.invalid-length"
    case userHandleInvalidLength = "user-handle.invalid-length"
    case challengeTooShort = "challenge.too-short"
    case relyingPartyIDInvalid = "relying-party-id.invalid"
    case originInvalid = "origin.invalid"

    // Responses
    case registrationResponseMalformed = "registration-response.malformed"
    case registrationResponseMissingMember = "registration-response.missing-member"
    case registrationResponseInvalidMember = "registration-response.invalid-member"
    case registrationResponseIDMismatch = "registration-response.id-mismatch"
    case registrationResponseUnknownType = "registration-response.unknown-type"
    case authenticationResponseMalformed = "authentication-response.malformed"
    case authenticationResponseMissingMember = "authentication-response.missing-member"
    case authenticationResponseInvalidMember = "authentication-response.invalid-member"
    case authenticationResponseIDMismatch = "authentication-response.id-mismatch"
    case authenticationResponseUnknownType = "authentication-response.unknown-type"

    // Options
    case optionsMalformed = "options.malformed"
    case optionsMissingMember = "options.missing-member"
    case optionsInvalidMember = "options.invalid-member"

    // Extensions
    case clientExtensionsMissingMember = "client-extensions.missing-member"
    case clientExtensionsInvalidMember = "client-extensions.invalid-member"
    case authenticatorExtensionsInvalidMember = "authenticator-extensions.invalid-member"

    // Payments
    case paymentInvalidMember = "payment.invalid-member"

    // Credential records
    case credentialRecordMalformed = "credential-record.malformed"
    case credentialRecordMissingMember = "credential-record.missing-member"
    case credentialRecordInvalidMember = "credential-record.invalid-member"
    case credentialRecordUnknownVersion = "credential-record.unknown-version"
  }
}
