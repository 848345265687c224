// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

extension Migration {
  /// Adds user names, and the verification of email addresses. An account needs either name, so the address becomes
  /// optional; SQLite can change that only by copying the table.
  static let accountNames = Migration(
    purpose: "user names, and verified email addresses",
    statements: [
      """
      CREATE TABLE named_accounts (
        handle BLOB PRIMARY KEY NOT NULL, email TEXT UNIQUE, username TEXT, username_key TEXT UNIQUE,
        email_verified INTEGER, awaits_verification INTEGER NOT NULL, state TEXT NOT NULL, roles BLOB NOT NULL,
        created INTEGER NOT NULL, updated INTEGER NOT NULL, administers INTEGER NOT NULL) WITHOUT ROWID
      """,
      """
      INSERT INTO named_accounts (handle, email, awaits_verification, state, roles, created, updated, administers)
        SELECT handle, email, 0, state, roles, created, created, administers FROM accounts ORDER BY handle
      """,
      "DROP TABLE accounts",
      "ALTER TABLE named_accounts RENAME TO accounts",
      "CREATE INDEX accounts_state ON accounts (state, handle)",
      "CREATE INDEX accounts_administers ON accounts (administers) WHERE administers = 1",
      // The sentinel has the columns of an account, because one query reads both.
      "ALTER TABLE sentinels ADD COLUMN username TEXT",
      "ALTER TABLE sentinels ADD COLUMN email_verified INTEGER",
      "ALTER TABLE sentinels ADD COLUMN awaits_verification INTEGER NOT NULL DEFAULT 0",
      "ALTER TABLE sentinels ADD COLUMN updated INTEGER NOT NULL DEFAULT 0",
    ], rows: [])

  /// Adds the details and the revocation of devices, notification preferences, and the last verification of a session.
  static let deviceDetails = Migration(
    purpose: "revoked devices, notification preferences, and verified sessions",
    statements: [
      "ALTER TABLE devices ADD COLUMN platform TEXT",
      "ALTER TABLE devices ADD COLUMN time_zone TEXT",
      "ALTER TABLE devices ADD COLUMN revoked INTEGER",
      // A revoked registration stays beside a new one of the same token.
      "DROP INDEX devices_token",
      "CREATE UNIQUE INDEX devices_token ON devices (token, service) WHERE revoked IS NULL",
      "CREATE TABLE preferences (user_handle BLOB PRIMARY KEY NOT NULL, choices BLOB NOT NULL) WITHOUT ROWID",
      "ALTER TABLE sessions ADD COLUMN verified INTEGER",
    ], rows: [])

  /// Adds the time when a session removed the last passkey of its account.
  static let removedLastPasskeys = Migration(
    purpose: "sessions that may replace the last passkey",
    statements: ["ALTER TABLE sessions ADD COLUMN last_passkey_removed INTEGER"], rows: [])

  /// Orders names by their bytes in PostgreSQL, as SQLite does, so that their unique indexes find all with a prefix,
  /// whatever the locale of the database. The indexes are built again; the table is not.
  static let namesByBytes = Migration(
    purpose: "a search by the beginning of a name", statements: [], rows: [],
    postgreSQL: ["email", "username_key"].map { (column) in
      "ALTER TABLE accounts ALTER COLUMN \(column) TYPE text COLLATE \"C\""
    })
}
