// SPDX-License-Identifier: Apache-2.0

/// One step of the schema's history. A released step is never changed; corrections are new steps.
package struct Migration: Sendable {
  /// The purpose of the step.
  let purpose: String

  /// SQL statements with SQLite's column types.
  package let statements: [String]

  /// Rows inserted by the step.
  package let rows: [SQLStatement]

  /// Statements for PostgreSQL only, which follow ``statements``.
  var postgreSQL: [String] = []

  /// The statements for PostgreSQL: those of both databases with column types renamed and `WITHOUT ROWID` removed, then
  /// its own.
  package var postgreSQLStatements: [String] {
    statements.map { (statement) in
      let words = statement.replacing(" WITHOUT ROWID", with: "")
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

extension Migration {
  /// All migrations, oldest first. The list is append-only.
  package static let all: [Migration] = [
    .first, .smallerSignIns, .databaseState, .repetitions, .decoys, .sentinelPasskeys, .grantMismatches,
    .outbox, .accountNames, .deviceDetails, .emailCeremonies, .arrivals, .knownClients, .auditLog,
    .roomForUpdates, .datedCheckpoints, .refreshTokensOfSessions, .datedCosignatures,
    .deadLettersOfAccounts, .removedLastPasskeys, .namesByBytes, .ranks,
  ]
}

extension Migration {
  /// Leaves room in PostgreSQL's pages for the new version of a passkey that a sign-in writes. Without it the version goes
  /// to another page, both indexes change, and the log gets each of these pages after a checkpoint: 2.5 times the bytes.
  static let roomForUpdates = Migration(
    purpose: "sign-ins that write less to PostgreSQL's log", statements: [], rows: [],
    // 85 % [15 % of a page holds three passkeys; applies to new pages]
    postgreSQL: ["ALTER TABLE passkeys SET (fillfactor = 85)"])
}

extension Migration {
  /// Reduces the pages a sign-in changes. Every changed page is written to the log, and random insert positions cost
  /// the most: this step removes two of six.
  ///
  /// Sessions are stored in the order in which they were opened. Personal details are found through their audit record,
  /// except those about a person whom the record does not name.
  static let smallerSignIns = Migration(
    purpose: "sign-ins that change fewer pages",
    statements: [
      """
      CREATE TABLE opened_sessions (
        id BLOB PRIMARY KEY NOT NULL, user_handle BLOB NOT NULL, number INTEGER NOT NULL, token BLOB NOT NULL UNIQUE,
        credential BLOB NOT NULL, created INTEGER NOT NULL, expiry INTEGER NOT NULL, last_seen INTEGER NOT NULL,
        renewal_end INTEGER, ending INTEGER NOT NULL)
      """,
      """
      INSERT INTO opened_sessions
        (id, user_handle, number, token, credential, created, expiry, last_seen, renewal_end, ending)
        SELECT id, user_handle, number, token, credential, created, expiry, last_seen, renewal_end, ending
        FROM sessions ORDER BY created
      """,
      "DROP TABLE sessions",
      "ALTER TABLE opened_sessions RENAME TO sessions",
      "CREATE UNIQUE INDEX sessions_user ON sessions (user_handle, number)",
      "CREATE INDEX sessions_ending ON sessions (ending)",
      "CREATE INDEX sessions_idle ON sessions (last_seen)",
      "DROP INDEX personal_details_person",
      // Existing details are not compared with their records, so all of them count as unnamed.
      "ALTER TABLE personal_details ADD COLUMN apart INTEGER NOT NULL DEFAULT 1",
      "CREATE INDEX personal_details_apart ON personal_details (person) WHERE apart = 1",
    ], rows: [])
}

extension Migration {
  /// Finds the refresh tokens of an account through its sessions. An index of accounts has a random place for each new
  /// token, so it was one of the four pages of a sign-in that no other sign-in of its commit changes.
  static let refreshTokensOfSessions = Migration(
    purpose: "refresh tokens found through their sessions",
    statements: [
      "DELETE FROM refresh_tokens WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.id = refresh_tokens.session)",
      "DROP INDEX refresh_tokens_user",
    ], rows: [])
}

extension Migration {
  /// Adds the database's own state: pending scrubs, its identity, and the sentinel row that is read when no account is
  /// found.
  static let databaseState = Migration(
    purpose: "persistent scrubbing, the relying party's identity, and a sentinel",
    statements: [
      "CREATE TABLE scrubs (id INTEGER PRIMARY KEY NOT NULL, due INTEGER NOT NULL, done INTEGER NOT NULL)",
      Sentinel.table,
      "CREATE TABLE identity (id INTEGER PRIMARY KEY NOT NULL, relying_party TEXT NOT NULL, secret_check BLOB NOT NULL)",
    ],
    rows: [
      // Data erased before this step may still be in the files.
      SQLStatement("INSERT INTO scrubs (id, due, done) VALUES (1, $1, $2)", [.integer(1), .integer(0)]),
      Sentinel.insertion,
    ])
}

extension Migration {
  /// Adds the columns of spent refresh tokens that validate a repetition within the grace period.
  static let repetitions = Migration(
    purpose: "repeatable refresh tokens",
    statements: [
      "ALTER TABLE refresh_tokens ADD COLUMN spent_at INTEGER",
      "ALTER TABLE refresh_tokens ADD COLUMN spent_by BLOB",
    ], rows: [])
}

extension Migration {
  /// Adds the lists from which decoys are drawn, shared by all servers and kept across restarts.
  static let decoys = Migration(
    purpose: "the population from which decoys are drawn",
    statements: ["CREATE TABLE decoys (id INTEGER PRIMARY KEY NOT NULL, lists BLOB NOT NULL)"], rows: [])

  /// Adds the sentinel's passkeys, so that a lookup without a result costs the same as one of an account with several
  /// passkeys.
  static let sentinelPasskeys = Migration(
    purpose: "placeholders for unknown passkeys", statements: [Sentinel.passkeyTable, Sentinel.passkeyIndex],
    rows: Sentinel.passkeyInsertions)

  /// Adds the number of requests that presented a grant with another action than the confirmed one.
  static let grantMismatches = Migration(
    purpose: "confirmations that survive a wrong body",
    statements: ["ALTER TABLE grants ADD COLUMN mismatches INTEGER NOT NULL DEFAULT 0"], rows: [])
}
