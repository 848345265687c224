// SPDX-License-Identifier: Apache-2.0

extension Migration {
  /// Adds the seal of the audit chain, and the columns of spent refresh tokens that validate a repetition within the
  /// grace period.
  static let seals = Migration(
    purpose: "a sealed audit trail, and refresh tokens that may be repeated",
    statements: [
      "ALTER TABLE audit_head ADD COLUMN seal BLOB",
      "ALTER TABLE refresh_tokens ADD COLUMN spent_at INTEGER",
      "ALTER TABLE refresh_tokens ADD COLUMN spent_by BLOB",
    ], rows: [])
}
