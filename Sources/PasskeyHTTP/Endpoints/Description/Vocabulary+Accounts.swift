// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

// The shapes of accounts and related objects, as `Endpoints+Writing.swift` writes them, and of the account export.

extension Vocabulary {
  static let credentialMember = Shape.Member.always("credential", .shared(.credential))
  static let state = Shape.oneOf(Account.State.allCases.map(\.rawValue))
  private static let trust = Shape.oneOf(AttestationSummary.Trust.allCases.map(\.rawValue))

  var account: Shape {
    .object([
      .always("id", .base64URL), .always(profile.addressMember, .text(.email)), .always("state", Self.state),
      .always("roles", .array(.string)), .always("createdAt", .dateTime),
    ])
  }

  static let session = Shape.object([
    .always("id", .base64URL), .always("credentialId", .base64URL), .always("createdAt", .dateTime),
    .always("lastSeenAt", .dateTime), .always("expiresAt", .dateTime), .always("current", .boolean),
  ])

  static let credential = Shape.object([
    .always("id", .base64URL), .always("name", .string), .always("aaguid", .text(.uuid)), .always("attestation", trust),
    .always("transports", .array(.string)), .always("backupEligible", .boolean), .always("backedUp", .boolean),
    .always("disabled", .boolean), .always("createdAt", .dateTime), .sometimes("lastUsedAt", .dateTime),
    .sometimes("cloneSuspectedAt", .dateTime), .sometimes("backupEligibilityChangedAt", .dateTime),
  ])

  static let device = Shape.object([
    .always("id", .base64URL), .always("service", .string), .always("createdAt", .dateTime),
  ])

  /// The account export. It is a document of its own, so it is the same in all profiles.
  static let accountExport = Shape.object([
    .always("format", .oneOf([AccountExport.format])), .always("version", .integer), .always("time", .dateTime),
    .always(
      "account",
      .object([
        .always("handle", .base64URL), .always("email", .text(.email)), .always("state", state),
        .always("roles", .array(.string)), .always("created", .dateTime),
      ])),
    .always("passkeys", .array(exportedPasskey)),
    .always(
      "sessions",
      .array(
        .object([
          .always("id", .base64URL), .always("credential", .base64URL), .always("created", .dateTime),
          .always("expiry", .dateTime), .always("lastSeen", .dateTime),
        ]))),
    .always(
      "devices",
      .array(
        .object([
          .always("id", .base64URL), .always("service", .string), .always("token", .string),
          .always("created", .dateTime),
        ]))),
    .always("audit", .array(.shared(.auditEntry))),
  ])

  private static let exportedPasskey = Shape.object([
    .always("id", .base64URL), .always("name", .string), .always("publicKey", .base64URL),
    .always("signCount", .integer), .always("transports", .array(.string)), .always("backupEligible", .boolean),
    .always("backupState", .boolean), .always("aaguid", .text(.uuid)), .always("attestation", .string),
    .always("trust", trust), .always("created", .dateTime), .sometimes("lastUsed", .dateTime),
    .sometimes("cloneSignal", .dateTime), .sometimes("backupSignal", .dateTime), .always("disabled", .boolean),
  ])

  static let auditEntry = Shape.object([
    .always("sequence", .integer), .always("time", .dateTime), .always("event", .string),
    .sometimes("subject", .string), .always("outcome", .string), .always("requestId", .string),
    .always("details", .named(.string)),
    .always("personal", .object(PersonalDetail.Name.allCases.map { .sometimes($0.rawValue, .string) })),
  ])
}
