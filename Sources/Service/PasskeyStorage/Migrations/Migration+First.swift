// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

extension Migration {
  /// The schema of version 0.1.0.
  ///
  /// There are no foreign keys. A dependent row is written only if its parent was found in the same transaction,
  /// and is deleted with its parent in one transaction. The `number` columns order an account's rows.
  static let first = Migration(
    purpose: "the schema of 0.1.0",
    statements: accounts + ceremonies + passkeys + sessions + stepUp + codes + devices + audit,
    rows: [
      SQLStatement("INSERT INTO write_check (id, count) VALUES (1, 0)")
    ])

  private static let accounts = [
    """
    CREATE TABLE accounts (
      handle BLOB PRIMARY KEY NOT NULL, email TEXT NOT NULL UNIQUE, state TEXT NOT NULL, roles BLOB NOT NULL,
      created INTEGER NOT NULL, administers INTEGER NOT NULL) WITHOUT ROWID
    """,
    "CREATE INDEX accounts_state ON accounts (state, handle)",
    "CREATE INDEX accounts_administers ON accounts (administers) WHERE administers = 1",
  ]

  private static let ceremonies = [
    "CREATE TABLE spent_ceremonies (id BLOB PRIMARY KEY NOT NULL) WITHOUT ROWID",
    """
    CREATE TABLE challenge_salts (
      salt BLOB PRIMARY KEY NOT NULL, created INTEGER NOT NULL, place BLOB NOT NULL) WITHOUT ROWID
    """,
  ]

  private static let passkeys = [
    """
    CREATE TABLE passkeys (
      id BLOB PRIMARY KEY NOT NULL, user_handle BLOB NOT NULL, number INTEGER NOT NULL, revision INTEGER NOT NULL,
      disabled INTEGER NOT NULL, sign_count INTEGER NOT NULL, backup_state INTEGER NOT NULL, created INTEGER NOT NULL,
      last_used INTEGER, clone_signal INTEGER, backup_signal INTEGER, name TEXT NOT NULL, aaguid BLOB NOT NULL,
      attestation BLOB NOT NULL, record BLOB NOT NULL)
    """,
    "CREATE UNIQUE INDEX passkeys_user ON passkeys (user_handle, number)",
  ]

  private static let sessions = [
    """
    CREATE TABLE sessions (
      id BLOB PRIMARY KEY NOT NULL, user_handle BLOB NOT NULL, number INTEGER NOT NULL, token BLOB NOT NULL UNIQUE,
      credential BLOB NOT NULL, created INTEGER NOT NULL, expiry INTEGER NOT NULL, last_seen INTEGER NOT NULL,
      renewal_end INTEGER, ending INTEGER NOT NULL) WITHOUT ROWID
    """,
    "CREATE UNIQUE INDEX sessions_user ON sessions (user_handle, number)",
    "CREATE INDEX sessions_ending ON sessions (ending)",
    "CREATE INDEX sessions_idle ON sessions (last_seen)",
    """
    CREATE TABLE refresh_tokens (
      digest BLOB PRIMARY KEY NOT NULL, session BLOB NOT NULL, user_handle BLOB NOT NULL, expiry INTEGER NOT NULL,
      spent INTEGER NOT NULL) WITHOUT ROWID
    """,
    "CREATE INDEX refresh_tokens_session ON refresh_tokens (session)",
    "CREATE INDEX refresh_tokens_user ON refresh_tokens (user_handle)",
    "CREATE INDEX refresh_tokens_expiry ON refresh_tokens (expiry)",
  ]

  private static let stepUp = [
    """
    CREATE TABLE grants (
      digest BLOB PRIMARY KEY NOT NULL, user_handle BLOB NOT NULL, session BLOB NOT NULL, action BLOB NOT NULL,
      expiry INTEGER NOT NULL) WITHOUT ROWID
    """,
    "CREATE INDEX grants_session ON grants (session)",
    "CREATE INDEX grants_user ON grants (user_handle)",
    "CREATE INDEX grants_expiry ON grants (expiry)",
  ]

  private static let codes = [
    """
    CREATE TABLE codes (
      digest BLOB PRIMARY KEY NOT NULL, purpose TEXT NOT NULL, account BLOB, email TEXT, roles BLOB NOT NULL,
      created INTEGER NOT NULL, expiry INTEGER NOT NULL) WITHOUT ROWID
    """,
    "CREATE INDEX codes_account ON codes (account) WHERE account IS NOT NULL",
    "CREATE INDEX codes_email ON codes (email) WHERE email IS NOT NULL",
    "CREATE INDEX codes_expiry ON codes (expiry)",
  ]

  private static let devices = [
    """
    CREATE TABLE devices (
      id BLOB PRIMARY KEY NOT NULL, user_handle BLOB NOT NULL, number INTEGER NOT NULL, service BLOB NOT NULL,
      token BLOB NOT NULL, created INTEGER NOT NULL) WITHOUT ROWID
    """,
    "CREATE UNIQUE INDEX devices_token ON devices (token, service)",
    "CREATE UNIQUE INDEX devices_user ON devices (user_handle, number)",
  ]

  private static let audit = [
    """
    CREATE TABLE audit (sequence INTEGER PRIMARY KEY NOT NULL, record BLOB NOT NULL, person BLOB, other BLOB)
    """,
    "CREATE INDEX audit_person ON audit (person, sequence) WHERE person IS NOT NULL",
    "CREATE INDEX audit_other ON audit (other, sequence) WHERE other IS NOT NULL",
    """
    CREATE TABLE personal_details (
      sequence INTEGER NOT NULL, place INTEGER NOT NULL, recorded INTEGER NOT NULL, name TEXT NOT NULL, person BLOB,
      salt BLOB NOT NULL, content BLOB NOT NULL, PRIMARY KEY (sequence, place)) WITHOUT ROWID
    """,
    "CREATE INDEX personal_details_person ON personal_details (person) WHERE person IS NOT NULL",
    "CREATE INDEX personal_details_recorded ON personal_details (recorded)",
    "CREATE INDEX personal_details_email ON personal_details (content) WHERE name = 'email'",
    "CREATE TABLE write_check (id INTEGER PRIMARY KEY NOT NULL, count INTEGER NOT NULL)",
  ]
}
