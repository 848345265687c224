// SPDX-License-Identifier: Apache-2.0

/// The schema of a store.
///
/// Both databases have the same tables. They are written with SQLite's types: INTEGER is `bigint` in PostgreSQL, and BLOB is
/// `bytea`. There are no foreign keys: a dependent row is written only if its parent was found in the same transaction, and is
/// deleted with its parent in one transaction. The `number` columns order an account's rows.
package struct Schema: Sendable {
  /// The version of the schema. A store of another version is refused.
  package let version: Int64

  /// Statements of both databases, with SQLite's types.
  package let statements: [String]

  /// Statements of PostgreSQL only, which follow.
  var postgreSQL: [String] = []

  /// The first rows.
  package let rows: [SQLStatement]

  /// The current schema.
  package static let current = Schema(
    version: 1,
    statements: accounts + passkeys + sessions + confirmations + codes + mails + devices + ceremonies + audit + log
      + outbox
      + state,
    postgreSQL: postgreSQL,
    rows: [
      SQLStatement("INSERT INTO announcements (id, through) VALUES (1, 0)"),
      SQLStatement("INSERT INTO scrubs (id, due, done) VALUES (1, 0, 0)"),
      SQLStatement("INSERT INTO write_check (id, count) VALUES (1, 0)"),
      Sentinel.insertion,
    ] + Sentinel.passkeyInsertions)

  private static let accounts = [
    """
    CREATE TABLE accounts (
      handle BLOB PRIMARY KEY NOT NULL, email TEXT UNIQUE, username TEXT, username_key TEXT UNIQUE,
      email_verified INTEGER, awaits_verification INTEGER NOT NULL, state TEXT NOT NULL, roles BLOB NOT NULL,
      created INTEGER NOT NULL, updated INTEGER NOT NULL, administers INTEGER NOT NULL, language TEXT, time_zone TEXT)
      WITHOUT ROWID
    """,
    "CREATE INDEX accounts_state ON accounts (state, handle)",
    "CREATE INDEX accounts_created ON accounts (created, handle)",
    "CREATE INDEX accounts_administers ON accounts (administers) WHERE administers = 1",
    "CREATE TABLE preferences (user_handle BLOB PRIMARY KEY NOT NULL, choices BLOB NOT NULL) WITHOUT ROWID",
    """
    CREATE TABLE known_clients (
      user_handle BLOB NOT NULL, client BLOB NOT NULL, expiry INTEGER NOT NULL, PRIMARY KEY (user_handle, client))
      WITHOUT ROWID
    """,
    "CREATE INDEX known_clients_expiry ON known_clients (expiry)",
    // Read on a miss, so that a lookup without a result costs the same (Sentinel).
    """
    CREATE TABLE sentinels (
      handle BLOB PRIMARY KEY NOT NULL, email TEXT NOT NULL, username TEXT, email_verified INTEGER,
      awaits_verification INTEGER NOT NULL, state TEXT NOT NULL, roles BLOB NOT NULL, created INTEGER NOT NULL,
      updated INTEGER NOT NULL, language TEXT, time_zone TEXT, record BLOB NOT NULL)
    """,
  ]

  /// The columns of a passkey.
  private static let passkeyColumns = """
    id BLOB PRIMARY KEY NOT NULL, user_handle BLOB NOT NULL, number INTEGER NOT NULL, revision INTEGER NOT NULL,
    disabled INTEGER NOT NULL, sign_count INTEGER NOT NULL, backup_state INTEGER NOT NULL, created INTEGER NOT NULL,
    last_used INTEGER, clone_signal INTEGER, backup_signal INTEGER, name TEXT NOT NULL, aaguid BLOB NOT NULL,
    attestation BLOB NOT NULL, record BLOB NOT NULL
    """

  private static let passkeys = ["passkeys", "sentinel_passkeys"].flatMap { (table) in
    [
      "CREATE TABLE \(table) (\(passkeyColumns))",
      "CREATE UNIQUE INDEX \(table)_user ON \(table) (user_handle, number)",
    ]
  }

  private static let sessions = [
    // Sessions are stored in the order in which they were opened.
    """
    CREATE TABLE sessions (
      id BLOB PRIMARY KEY NOT NULL, user_handle BLOB NOT NULL, number INTEGER NOT NULL, token BLOB NOT NULL UNIQUE,
      credential BLOB NOT NULL, created INTEGER NOT NULL, expiry INTEGER NOT NULL, last_seen INTEGER NOT NULL,
      renewal_end INTEGER, ending INTEGER NOT NULL, verified INTEGER, last_passkey_removed INTEGER, browser TEXT,
      system TEXT)
    """,
    "CREATE UNIQUE INDEX sessions_user ON sessions (user_handle, number)",
    "CREATE INDEX sessions_ending ON sessions (ending)",
    "CREATE INDEX sessions_idle ON sessions (last_seen)",
    // Found through their sessions: an index of accounts would have a random page for each new token.
    """
    CREATE TABLE refresh_tokens (
      digest BLOB PRIMARY KEY NOT NULL, session BLOB NOT NULL, user_handle BLOB NOT NULL, expiry INTEGER NOT NULL,
      spent INTEGER NOT NULL, spent_at INTEGER, spent_by BLOB) WITHOUT ROWID
    """,
    "CREATE INDEX refresh_tokens_session ON refresh_tokens (session)",
    "CREATE INDEX refresh_tokens_expiry ON refresh_tokens (expiry)",
  ]

  private static let confirmations = [
    """
    CREATE TABLE grants (
      digest BLOB PRIMARY KEY NOT NULL, user_handle BLOB NOT NULL, session BLOB NOT NULL, action BLOB NOT NULL,
      expiry INTEGER NOT NULL, mismatches INTEGER NOT NULL DEFAULT 0, answer BLOB) WITHOUT ROWID
    """,
    "CREATE INDEX grants_session ON grants (session)",
    "CREATE INDEX grants_user ON grants (user_handle)",
    "CREATE INDEX grants_expiry ON grants (expiry)",
  ]

  private static let codes = [
    """
    CREATE TABLE codes (
      digest BLOB PRIMARY KEY NOT NULL, purpose TEXT NOT NULL, account BLOB, email TEXT, roles BLOB NOT NULL,
      created INTEGER NOT NULL, not_before INTEGER, expiry INTEGER NOT NULL, issuer BLOB) WITHOUT ROWID
    """,
    "CREATE INDEX codes_account ON codes (account) WHERE account IS NOT NULL",
    "CREATE INDEX codes_email ON codes (email) WHERE email IS NOT NULL",
    "CREATE INDEX codes_expiry ON codes (expiry)",
  ]

  private static let mails = [
    """
    CREATE TABLE email_ceremonies (
      id BLOB PRIMARY KEY NOT NULL, purpose TEXT NOT NULL, token BLOB NOT NULL UNIQUE, account BLOB,
      email TEXT NOT NULL, decoy INTEGER NOT NULL, payload BLOB NOT NULL, failed_attempts INTEGER NOT NULL,
      created INTEGER NOT NULL, not_before INTEGER, expiry INTEGER NOT NULL)
    """,
    "CREATE INDEX email_ceremonies_account ON email_ceremonies (account) WHERE account IS NOT NULL",
    "CREATE INDEX email_ceremonies_email ON email_ceremonies (email)",
    "CREATE INDEX email_ceremonies_expiry ON email_ceremonies (expiry)",
    """
    CREATE TABLE mail_counts (email TEXT PRIMARY KEY NOT NULL, mails INTEGER NOT NULL, expiry INTEGER NOT NULL)
      WITHOUT ROWID
    """,
    "CREATE INDEX mail_counts_expiry ON mail_counts (expiry)",
  ]

  private static let devices = [
    """
    CREATE TABLE devices (
      id BLOB PRIMARY KEY NOT NULL, user_handle BLOB NOT NULL, number INTEGER NOT NULL, service BLOB NOT NULL,
      token BLOB NOT NULL, created INTEGER NOT NULL, platform TEXT, time_zone TEXT, revoked INTEGER) WITHOUT ROWID
    """,
    // A revoked registration stays beside a new one of the same token.
    "CREATE UNIQUE INDEX devices_token ON devices (token, service) WHERE revoked IS NULL",
    "CREATE UNIQUE INDEX devices_user ON devices (user_handle, number)",
  ]

  private static let ceremonies = [
    "CREATE TABLE spent_ceremonies (id BLOB PRIMARY KEY NOT NULL) WITHOUT ROWID",
    """
    CREATE TABLE challenge_salts (salt BLOB PRIMARY KEY NOT NULL, created INTEGER NOT NULL, place BLOB NOT NULL)
      WITHOUT ROWID
    """,
  ]

  private static let audit = [
    "CREATE TABLE audit (sequence INTEGER PRIMARY KEY NOT NULL, record BLOB NOT NULL, person BLOB, other BLOB)",
    "CREATE INDEX audit_person ON audit (person, sequence) WHERE person IS NOT NULL",
    "CREATE INDEX audit_other ON audit (other, sequence) WHERE other IS NOT NULL",
    // Found through their records, except those about a person whom the record does not name.
    """
    CREATE TABLE personal_details (
      sequence INTEGER NOT NULL, place INTEGER NOT NULL, recorded INTEGER NOT NULL, name TEXT NOT NULL, person BLOB,
      salt BLOB NOT NULL, content BLOB NOT NULL, apart INTEGER NOT NULL, PRIMARY KEY (sequence, place)) WITHOUT ROWID
    """,
    "CREATE INDEX personal_details_apart ON personal_details (person) WHERE apart = 1",
    "CREATE INDEX personal_details_recorded ON personal_details (recorded)",
    "CREATE INDEX personal_details_email ON personal_details (content) WHERE name = 'email'",
  ]

  private static let log = [
    "CREATE TABLE audit_logs (epoch INTEGER PRIMARY KEY NOT NULL, origin TEXT NOT NULL, verifier TEXT NOT NULL)",
    // On PostgreSQL a record waits in the queue for its position; on SQLite all records after the last position wait.
    """
    CREATE TABLE audit_positions (
      sequence INTEGER PRIMARY KEY NOT NULL, epoch INTEGER NOT NULL, position INTEGER NOT NULL)
    """,
    "CREATE UNIQUE INDEX audit_positions_place ON audit_positions (epoch, position)",
    // A tile grows in its row up to 256 hashes.
    """
    CREATE TABLE audit_tiles (
      epoch INTEGER NOT NULL, level INTEGER NOT NULL, tile INTEGER NOT NULL, hashes BLOB NOT NULL,
      PRIMARY KEY (epoch, level, tile)) WITHOUT ROWID
    """,
    """
    CREATE TABLE audit_checkpoints (
      epoch INTEGER NOT NULL, size INTEGER NOT NULL, signed INTEGER NOT NULL, cosigned INTEGER NOT NULL,
      note BLOB NOT NULL, PRIMARY KEY (epoch, size)) WITHOUT ROWID
    """,
    "CREATE INDEX audit_checkpoints_signed ON audit_checkpoints (signed) WHERE cosigned = 0",
    "CREATE INDEX audit_checkpoints_cosigned ON audit_checkpoints (epoch, size) WHERE cosigned = 1",
    "CREATE INDEX audit_checkpoints_evidence ON audit_checkpoints (signed) WHERE cosigned = 1",
    """
    CREATE TABLE audit_witnesses (verifier TEXT PRIMARY KEY NOT NULL, epoch INTEGER NOT NULL, size INTEGER NOT NULL)
      WITHOUT ROWID
    """,
  ]

  private static let outbox = [
    // Of each lane only the first row has a due time, so a claim reads no row that it cannot take. A deliverer arranges new
    // rows in their lanes: with their index, each notice of another account would change another page.
    """
    CREATE TABLE outbox (
      number INTEGER PRIMARY KEY NOT NULL, notice BLOB NOT NULL, destination BLOB NOT NULL, lane BLOB NOT NULL,
      event BLOB NOT NULL, account BLOB, time INTEGER NOT NULL, data BLOB NOT NULL, rank INTEGER NOT NULL,
      attempts INTEGER NOT NULL, arranged INTEGER NOT NULL, due INTEGER, owner BLOB, delivered BLOB NOT NULL,
      died INTEGER, reason BLOB)
    """,
    "CREATE INDEX outbox_arrival ON outbox (destination, rank, number) WHERE arranged = 0",
    "CREATE INDEX outbox_lane ON outbox (destination, lane, number) WHERE died IS NULL AND arranged = 1",
    "CREATE INDEX outbox_due ON outbox (destination, rank, due) WHERE due IS NOT NULL",
    "CREATE INDEX outbox_dead ON outbox (account) WHERE died IS NOT NULL",
    "CREATE TABLE announcements (id INTEGER PRIMARY KEY NOT NULL, through INTEGER NOT NULL)",
  ]

  private static let state = [
    "CREATE TABLE identity (id INTEGER PRIMARY KEY NOT NULL, relying_party TEXT NOT NULL, secret_check BLOB NOT NULL)",
    "CREATE TABLE decoys (id INTEGER PRIMARY KEY NOT NULL, lists BLOB NOT NULL)",
    "CREATE TABLE scrubs (id INTEGER PRIMARY KEY NOT NULL, due INTEGER NOT NULL, done INTEGER NOT NULL)",
    "CREATE TABLE write_check (id INTEGER PRIMARY KEY NOT NULL, count INTEGER NOT NULL)",
  ]

  private static let postgreSQL = [
    "CREATE SEQUENCE audit_sequence",
    "CREATE SEQUENCE outbox_number",
    "CREATE TABLE audit_queue (sequence bigint PRIMARY KEY)",
    // Most of its rows are dead, whatever its size.
    "ALTER TABLE audit_queue SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)",
    // Hashes do not compress.
    "ALTER TABLE audit_tiles ALTER COLUMN hashes SET STORAGE EXTERNAL",
    // Room for the new version of a passkey that a sign-in writes. Without it the version goes to another page, both indexes
    // change, and the log gets each of these pages after a checkpoint: 2.5 times the bytes. 85 % [15 % of a page holds three]
    "ALTER TABLE passkeys SET (fillfactor = 85)",
    // Names in the order of their bytes, as in SQLite, so that their indexes find all with a prefix in any locale.
    "ALTER TABLE accounts ALTER COLUMN email TYPE text COLLATE \"C\", ALTER COLUMN username_key TYPE text COLLATE \"C\"",
  ]
}

extension Schema {
  /// Throws unless a store has this version.
  package func require(_ found: Int64) throws(StorageError) {
    guard found != version else { return }
    throw StorageError(
      found < version ? .schemaOlder : .schemaNewer, "the store has schema \(found), and this version \(version)")
  }

  /// The statements of PostgreSQL: those of both databases with its types and without `WITHOUT ROWID`, then its own.
  package var postgreSQLStatements: [String] {
    statements.map { (statement) in
      let words = statement.replacing(#/\s+WITHOUT ROWID/#, with: "")
        .split(omittingEmptySubsequences: false) { (character) in character == " " }
      return words.map { (word) in
        let name = word.prefix { (character) in character.isLetter }
        let rest = word.dropFirst(name.count)
        return switch name {
        case "BLOB": "bytea" + rest
        case "INTEGER": "bigint" + rest
        default: String(word)
        }
      }.joined(separator: " ")
    } + postgreSQL
  }
}
