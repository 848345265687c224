// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

// The schemas of the account export.

extension SchemaCatalog {
  static let state = JSONSchema.enumeration(Account.State.allCases.map(\.rawValue))
  static let trust = JSONSchema.enumeration(Passkey.AttestationSummary.Trust.allCases.map(\.rawValue))

  /// The account export. It is a document of its own, so it is the same in all profiles.
  static let accountExport = JSONSchema.object([
    .required("format", .enumeration([AccountExport.format])), .required("version", .integer),
    .required("time", .dateTime),
    .required(
      "account",
      .object([
        .required("handle", .base64URL), .optional("username", .string), .optional("email", .text(.email)),
        .optional("emailVerified", .dateTime), .required("awaitsVerification", .boolean), .required("state", state),
        .required("roles", .array(.string)),
        .required("created", .dateTime), .required("updated", .dateTime), .optional("language", .string),
        .optional("timeZone", .string),
      ])),
    .required("passkeys", .array(exportedPasskey)),
    .required(
      "sessions",
      .array(
        .object([
          .required("id", .base64URL), .required("credential", .base64URL), .required("created", .dateTime),
          .required("expiry", .dateTime), .required("lastSeen", .dateTime),
          .required("verifiedAt", .dateTime), .optional("browser", .string), .optional("system", .string),
          .optional("lastPasskeyRemoved", .dateTime),
        ]))),
    .required("preferences", .dictionary(.boolean)),
    .required(
      "devices",
      .array(
        .object([
          .required("id", .base64URL), .required("service", .string), .required("token", .string),
          .optional("platform", .string), .optional("timeZone", .string), .required("created", .dateTime),
          .optional("revoked", .dateTime),
        ]))),
    .required(
      "emailCeremonies",
      .array(
        .object([
          .required("purpose", .enumeration(EmailCeremony.Purpose.allCases.map(\.rawValue))),
          .required("email", .text(.email)), .required("created", .dateTime),
          .optional("language", .string), .optional("notBefore", .dateTime),
          .required("expiry", .dateTime),
        ]))),
    .required("knownClients", .array(.object([.required("expiry", .dateTime)]))),
    .optional("auditKey", .string), .required("audit", .array(.reference(.auditEntry))),
  ])

  private static let exportedPasskey = JSONSchema.object([
    .required("id", .base64URL), .required("name", .string), .required("publicKey", .base64URL),
    .required("signCount", .integer), .required("transports", .array(.string)),
    .required("uvInitialized", .boolean), .required("backupEligible", .boolean),
    .required("backupState", .boolean), .required("aaguid", .text(.uuid)), .optional("provider", .string),
    .required("attestation", .string),
    .required("trust", trust), .optional("attestationObject", .base64URL),
    .optional("attestationClientDataJSON", .base64URL), .optional("rpId", .string), .optional("registered", .dateTime),
    .required("created", .dateTime), .optional("lastUsed", .dateTime),
    .optional("cloneSignal", .dateTime), .optional("backupSignal", .dateTime), .required("disabled", .boolean),
  ])

  static let auditEntry = JSONSchema.object([
    .required("sequence", .integer), .required("time", .dateTime), .required("event", .string),
    .optional("subject", .string), .required("outcome", .string), .required("requestId", .string),
    .required("details", .dictionary(.string)),
    .required("personal", .object(PersonalDetail.Name.allCases.map { .optional($0.rawValue, .string) })),
    .optional("proof", .string), .optional("auditKey", .string),
  ])
}
