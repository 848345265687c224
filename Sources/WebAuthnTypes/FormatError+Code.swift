// SPDX-License-Identifier: Apache-2.0

extension FormatError {
  /// The causes. Raw values are stable: they are only ever added to.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    // Authenticator data
    /// The authenticator data end too early.
    case authenticatorDataTruncated = "authenticator-data.truncated"
    /// Something stands behind the authenticator data.
    case authenticatorDataTrailingBytes = "authenticator-data.trailing-bytes"
    /// The attested public key is not a CBOR map.
    case authenticatorDataMalformedKey = "authenticator-data.malformed-key"
    /// The extension outputs are not a CBOR map.
    case authenticatorDataMalformedExtensions = "authenticator-data.malformed-extensions"

    // Attestation objects
    /// The attestation object is not a CBOR map.
    case attestationObjectMalformed = "attestation-object.malformed"
    /// The attestation object lacks `fmt`, `attStmt` or `authData`.
    case attestationObjectMissingMember = "attestation-object.missing-member"
    /// A member of the attestation object has the wrong type.
    case attestationObjectInvalidMember = "attestation-object.invalid-member"

    // Client data
    /// The client data are not a JSON object.
    case clientDataMalformed = "client-data.malformed"
    /// The client data lack `type`, `challenge` or `origin`.
    case clientDataMissingMember = "client-data.missing-member"
    /// A member of the client data has the wrong type, or is not base64url.
    case clientDataInvalidMember = "client-data.invalid-member"

    // Names and identifiers
    /// A credential id is empty, or longer than 1023 bytes.
    case credentialIDInvalidLength = "credential-id.invalid-length"
    /// A user handle is empty, or longer than 64 bytes.
    case userHandleInvalidLength = "user-handle.invalid-length"
    /// A challenge has fewer than 16 bytes.
    case challengeTooShort = "challenge.too-short"
    /// An RP ID is not a domain name in lower case.
    case relyingPartyIDInvalid = "relying-party-id.invalid"
    /// An origin is neither one of the web's nor one of an app's.
    case originInvalid = "origin.invalid"

    // Responses
    /// The registration response is not a JSON object.
    case registrationResponseMalformed = "registration-response.malformed"
    /// A member that a registration response must have is not there.
    case registrationResponseMissingMember = "registration-response.missing-member"
    /// A member of the registration response has the wrong type or form.
    case registrationResponseInvalidMember = "registration-response.invalid-member"
    /// `id` and `rawId` of the registration response differ.
    case registrationResponseIDMismatch = "registration-response.id-mismatch"
    /// The registration response is of another credential type than `public-key`.
    case registrationResponseUnknownType = "registration-response.unknown-type"
    /// The authentication response is not a JSON object.
    case authenticationResponseMalformed = "authentication-response.malformed"
    /// A member that an authentication response must have is not there.
    case authenticationResponseMissingMember = "authentication-response.missing-member"
    /// A member of the authentication response has the wrong type or form.
    case authenticationResponseInvalidMember = "authentication-response.invalid-member"
    /// `id` and `rawId` of the authentication response differ.
    case authenticationResponseIDMismatch = "authentication-response.id-mismatch"
    /// The authentication response is of another credential type than `public-key`.
    case authenticationResponseUnknownType = "authentication-response.unknown-type"

    // Options
    /// The options are not a JSON object.
    case optionsMalformed = "options.malformed"
    /// A member that options must have is not there.
    case optionsMissingMember = "options.missing-member"
    /// A member of the options has the wrong type or form.
    case optionsInvalidMember = "options.invalid-member"

    // Signals
    /// A signal is no JSON object.
    case signalMalformed = "signal.malformed"
    /// A signal lacks a member.
    case signalMissingMember = "signal.missing-member"
    /// A member of a signal is of another type, or its text stands for nothing.
    case signalInvalidMember = "signal.invalid-member"

    // Related origins
    /// The document of related origins is no object with an array of strings in it.
    case relatedOriginsMalformed = "related-origins.malformed"
    /// What was said to be registered is no domain of two labels, or lies below another such domain.
    case relatedOriginsDomainInvalid = "related-origins.domain-invalid"
    /// An origin is below none of the domains that were said to be registered.
    case relatedOriginsDomainNotNamed = "related-origins.domain-not-named"
    /// An origin is one that clients pass over: not https, an address, or a native application.
    case relatedOriginsOriginUnusable = "related-origins.origin-unusable"
    /// An origin is the first with a sixth label, which clients pass over.
    case relatedOriginsTooManyLabels = "related-origins.too-many-labels"

    // Extensions
    /// An extension's input or output lacks a member that it must have.
    case clientExtensionsMissingMember = "client-extensions.missing-member"
    /// An extension's input, or its output from the client, has the wrong type, form or length.
    case clientExtensionsInvalidMember = "client-extensions.invalid-member"
    /// An extension's output from the authenticator has the wrong type, form or length.
    case authenticatorExtensionsInvalidMember = "authenticator-extensions.invalid-member"

    // Payments
    /// An amount of money is not in its form, or is negative.
    case paymentInvalidMember = "payment.invalid-member"

    // Credential records
    /// The credential record is not what this library writes.
    case credentialRecordMalformed = "credential-record.malformed"
    /// An item that every credential record has is not there.
    case credentialRecordMissingMember = "credential-record.missing-member"
    /// An item of the credential record has the wrong type, or is not known.
    case credentialRecordInvalidMember = "credential-record.invalid-member"
    /// The credential record was written by a later version.
    case credentialRecordUnknownVersion = "credential-record.unknown-version"

    // Replies of authenticators
    /// The authenticator's reply is not a CBOR map.
    case commandReplyMalformed = "command-reply.malformed"
    /// The authenticator's reply lacks a member that it must have.
    case commandReplyMissingMember = "command-reply.missing-member"
    /// A member of the authenticator's reply has the wrong type or value.
    case commandReplyInvalidMember = "command-reply.invalid-member"
  }
}
