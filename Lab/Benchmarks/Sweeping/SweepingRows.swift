// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// SQL that fills a store with accounts, their live rows, and expired rows of every kind.
///
/// Keys increase with the numbers, so that the tables are filled in page order. The times of expired rows do not, so that
/// a sweep visits pages in random order.
struct SweepingRows {
  let accountCount: Int
  let now: UnixTime
  let isPostgreSQL: Bool

  /// The expired rows of each kind. [The same number for all large stores, so that their sweeps compare.]
  var expiredCount: Int { min(accountCount, 20_000) }

  /// Statements for `sqlite3` or `psql`.
  var script: String {
    let setUp =
      isPostgreSQL
      ? ["SET synchronous_commit = off;"] + indexRemoval
      : ["PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -500000;"]
    let live =
      accounts + rowsOfAccounts(accountCount, step: 1, prefix: "l", expiry: "\(now.secondsSince1970 + 9_000_000)")
    let step = accountCount / expiredCount
    let expiry = "\(now.secondsSince1970 - 2) - (i * 7919) % 100003"
    let expired = rowsOfAccounts(expiredCount, step: step, prefix: "e", expiry: expiry) + rowsWithoutAccounts(expiry)
    return (setUp + live + indexCreation + expired + tearDown).joined(separator: "\n")
  }

  /// Removes the indexes that are no constraints: building them once is faster than adding each row.
  private var indexRemoval: [String] {
    [
      """
      CREATE TEMPORARY TABLE removed_indexes AS SELECT indexname, indexdef FROM pg_indexes
      WHERE schemaname = current_schema AND tablename IN (\(Self.tables.map { "'\($0)'" }.joined(separator: ", ")))
      AND indexname NOT IN (SELECT conname FROM pg_constraint WHERE connamespace = current_schema::regnamespace);
      SELECT format('DROP INDEX %I', indexname) FROM removed_indexes \\gexec
      """
    ]
  }

  private var indexCreation: [String] {
    isPostgreSQL ? ["SET maintenance_work_mem = '1GB';", "SELECT indexdef FROM removed_indexes \\gexec"] : []
  }

  /// Prepares the tables as autovacuum does. Only those with rows: PostgreSQL reads a table as a whole, and keeps doing so
  /// while it fills, if it was empty when analyzed. A SQLite store has no statistics, because the product never analyzes.
  private var tearDown: [String] {
    guard isPostgreSQL else { return [] }
    return ["VACUUM (ANALYZE) \(Self.tables.joined(separator: ", "));", "CHECKPOINT;"]
  }

  private static let tables = [
    "accounts", "passkeys", "sessions", "refresh_tokens", "known_clients", "grants", "personal_details", "ceremonies",
    "codes", "email_ceremonies", "mail_counts",
  ]

  private var accounts: [String] {
    [
      insertion(
        "accounts (handle, email, awaits_verification, state, roles, created, updated, administers)",
        "\(key("a")), 'load-' || i || '@example.org', 0, 'active', \(bytes("''")), 0, 0, 0", accountCount),
      insertion(
        """
        passkeys (id, user_handle, number, revision, disabled, sign_count, backup_state, created, name, aaguid, attestation,
        record)
        """,
        """
        \(key("k")), \(key("a")), i, 1, 0, 0, 0, 0, '', \(bytes(padded("''", 16))), \(bytes("''")), \(bytes(padded("i", 250)))
        """, accountCount),
    ]
  }

  /// Rows of every `step`th account.
  private func rowsOfAccounts(_ count: Int, step: Int, prefix: String, expiry: String) -> [String] {
    let account = key("a", "i * \(step)")
    return [
      insertion(
        """
        sessions (id, user_handle, number, token, credential, created, expiry, last_seen, ending)
        """,
        """
        \(key(prefix, width: 16)), \(account), \(prefix == "e" ? "i + 1000000000" : "i"), \(key(prefix)), \(key("k")), 0,
        \(expiry), \(now.secondsSince1970), \(expiry)
        """, count),
      insertion(
        "refresh_tokens (digest, session, user_handle, expiry, spent)",
        "\(key(prefix)), \(key(prefix, width: 16)), \(account), \(expiry), 0", count),
      insertion(
        "known_clients (user_handle, client, expiry)", "\(account), \(key(prefix, width: 16)), \(expiry)", count),
      insertion(
        "grants (digest, user_handle, session, action, expiry)",
        "\(key(prefix)), \(account), \(key("l", "i * \(step)", width: 16)), \(key(prefix)), \(expiry)",
        prefix == "e" ? count : 0),
      // Details of records that do not exist: only `audit verify` of the whole trail would miss them.
      insertion(
        "personal_details (sequence, place, recorded, name, person, salt, content, apart)",
        """
        i + \(prefix == "e" ? 3 : 2)000000000, 0, \(expiry), 'address', \(account), \(key(prefix)), \(bytes("'192.0.2.1'")), 0
        """, count),
    ]
  }

  private func rowsWithoutAccounts(_ expiry: String) -> [String] {
    [
      insertion(
        "ceremonies (id, user_handle, expiry, payload)", "\(key("e")), NULL, \(expiry), \(bytes(padded("i", 250)))",
        expiredCount),
      insertion(
        "codes (digest, purpose, account, email, roles, created, expiry)",
        "\(key("e")), 'invitation', NULL, NULL, \(bytes("''")), 0, \(expiry)", expiredCount),
      insertion(
        """
        email_ceremonies (id, purpose, token, account, email, decoy, payload, failed_attempts, created, expiry)
        """,
        """
        \(key("e", width: 16)), 'recovery', \(key("e")), NULL, 'load-' || i || '@example.org', 0, \(bytes("''")), 0, 0,
        \(expiry)
        """, expiredCount),
      insertion(
        "mail_counts (email, mails, expiry)", "'load-' || i || '@example.org', 1, \(expiry)", expiredCount),
    ]
  }

  private func insertion(_ table: String, _ values: String, _ count: Int) -> String {
    let source =
      isPostgreSQL
      ? "generate_series(1::bigint, \(count)) AS i" : "(SELECT value AS i FROM generate_series(1, \(count)))"
    return "INSERT INTO \(table) SELECT \(values) FROM \(source);"
  }

  /// A key of the given width that increases with the number.
  private func key(_ prefix: String, _ number: String = "i", width: Int = 32) -> String {
    isPostgreSQL
      ? bytes("'\(prefix)' || lpad((\(number))::text, \(width - 1), '0')")
      : bytes("'\(prefix)' || printf('%0\(width - 1)d', \(number))")
  }

  private func padded(_ text: String, _ width: Int) -> String {
    isPostgreSQL ? "lpad((\(text))::text, \(width), '0')" : "printf('%0\(width)d', \(text))"
  }

  private func bytes(_ text: String) -> String {
    isPostgreSQL ? "convert_to(\(text), 'UTF8')" : "CAST(\(text) AS BLOB)"
  }
}
