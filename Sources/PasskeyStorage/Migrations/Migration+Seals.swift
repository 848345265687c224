// SPDX-License-Identifier: Apache-2.0

extension Migration {
  /// The end of the audit trail gets a seal, and a refresh token that was used what a repetition within the grace period is
  /// judged by.
  static let seals = Migration(
    purpose: "a sealed audit trail, and refresh tokens that may be repeated",
    statements: [
      "ALTER TABLE audit_head ADD COLUMN seal BLOB",
      "ALTER TABLE refresh_tokens ADD COLUMN spent_at INTEGER",
      "ALTER TABLE refresh_tokens ADD COLUMN spent_by BLOB",
    ], rows: [])
}
