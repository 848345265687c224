// SPDX-License-Identifier: Apache-2.0

extension FormatError {
  /// The causes of a ``FormatError``. Raw values are stable: new ones may be added, existing ones never change.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    // Authenticator data
    /// The authenticator data end too early.
    case authenticatorDataTruncated = "authenticator-data.truncated"
    /// Bytes follow the end of the authenticator data.
    case authenticatorDataTrailingBytes = "authenticator-data.trailing-bytes"
    /// The attested public key is not a CBOR map.
    case authenticatorDataMalformedKey = "authenticator-data.malformed-key"
    /// The extension outputs are not a CBOR map.
    case authenticatorDataMalformedExtensions = "authenticator-data.malformed-extensions"

    // Attestation objects
    /// The attestation object is not a CBOR map.
    case attestationObjectMalformed = "attestation-object.malformed"
    /// The attestation object has no `fmt`, `attStmt` or `authData`.
    case attestationObjectMissingMember = "attestation-object.missing-member"
    /// A member of the attestation object has the wrong type.
    case attestationObjectInvalidMember = "attestation-object.invalid-member"

    // Client data
    /// The client data are not a JSON object.
    case clientDataMalformed = "client-data.malformed"
    /// The client data have no `type`, `challenge` or `origin`.
    case clientDataMissingMember = "client-data.missing-member"
    /// A member of the client data has the wrong type or is not base64url.
    case clientDataInvalidMember = "client-data.invalid-member"

    // Names and identifiers
    /// A credential ID is empty or longer than 1023 bytes.
    case credentialIDInvalidLength = "credential-id.invalid-length"
    /// A user handle is empty or longer than 64 bytes.
    case userHandleInvalidLength = "user-handle.invalid-length"
    /// A challenge has fewer than 16 bytes.
    case challengeTooShort = "challenge.too-short"
    /// An RP ID is not a lowercase domain name.
    case relyingPartyIDInvalid = "relying-party-id.invalid"
    /// An origin is neither a valid web origin nor a valid native origin.
    case originInvalid = "origin.invalid"

    // Responses
    /// The registration response is not a JSON object.
    case registrationResponseMalformed = "registration-response.malformed"
    /// The registration response lacks a required member.
    case registrationResponseMissingMember = "registration-response.missing-member"
    /// A member of the registration response has the wrong type or form.
    case registrationResponseInvalidMember = "registration-response.invalid-member"
    /// `id` and `rawId` of the registration response differ.
    case registrationResponseIDMismatch = "registration-response.id-mismatch"
    /// The registration response has a credential type other than `public-key`.
    case registrationResponseUnknownType = "registration-response.unknown-type"
    /// The authentication response is not a JSON object.
    case authenticationResponseMalformed = "authentication-response.malformed"
    /// The authentication response lacks a required member.
    case authenticationResponseMissingMember = "authentication-response.missing-member"
    /// A member of the authentication response has the wrong type or form.
    case authenticationResponseInvalidMember = "authentication-response.invalid-member"
    /// `id` and `rawId` of the authentication response differ.
    case authenticationResponseIDMismatch = "authentication-response.id-mismatch"
    /// The authentication response has a credential type other than `public-key`.
    case authenticationResponseUnknownType = "authentication-response.unknown-type"

    // Options
    /// The options are not a JSON object.
    case optionsMalformed = "options.malformed"
    /// The options lack a required member.
    case optionsMissingMember = "options.missing-member"
    /// A member of the options has the wrong type or form.
    case optionsInvalidMember = "options.invalid-member"

    // Signals
    /// A signal is not a JSON object.
    case signalMalformed = "signal.malformed"
    /// A signal lacks a required member.
    case signalMissingMember = "signal.missing-member"
    /// A member of a signal has the wrong type or form.
    case signalInvalidMember = "signal.invalid-member"

    // Related origins
    /// The related-origins document is not a JSON object with an array of strings named `origins`.
    case relatedOriginsMalformed = "related-origins.malformed"
    /// A registered domain is not a domain of two or more labels, or is below another registered domain.
    case relatedOriginsDomainInvalid = "related-origins.domain-invalid"
    /// An origin is below none of the registered domains.
    case relatedOriginsDomainNotNamed = "related-origins.domain-not-named"
    /// An origin is not https, is an IP address, or is a native application. Clients ignore such origins.
    case relatedOriginsOriginUnusable = "related-origins.origin-unusable"
    /// An origin introduces a sixth label. Clients ignore labels after the fifth.
    case relatedOriginsTooManyLabels = "related-origins.too-many-labels"

    // Extensions
    /// An extension's input or output lacks a required member.
    case clientExtensionsMissingMember = "client-extensions.missing-member"
    /// An extension's input or client output has the wrong type, form or length.
    case clientExtensionsInvalidMember = "client-extensions.invalid-member"
    /// An extension's authenticator output has the wrong type, form or length.
    case authenticatorExtensionsInvalidMember = "authenticator-extensions.invalid-member"

    // Payments
    /// An amount of money is malformed or negative.
    case paymentInvalidMember = "payment.invalid-member"

    // Credential records
    /// The credential record is not in the form that this library writes.
    case credentialRecordMalformed = "credential-record.malformed"
    /// The credential record lacks a required item.
    case credentialRecordMissingMember = "credential-record.missing-member"
    /// An item of the credential record has the wrong type or is unknown.
    case credentialRecordInvalidMember = "credential-record.invalid-member"
    /// The credential record was written by a later version of this library.
    case credentialRecordUnknownVersion = "credential-record.unknown-version"

    // Replies from authenticators
    /// The authenticator's reply is not a CBOR map.
    case commandReplyMalformed = "command-reply.malformed"
    /// The authenticator's reply lacks a required member.
    case commandReplyMissingMember = "command-reply.missing-member"
    /// A member of the authenticator's reply has the wrong type or value.
    case commandReplyInvalidMember = "command-reply.invalid-member"
  }
}
