// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyStorage
internal import WebAuthnTypes

/// A kind of rows that expire.
enum ExpiredRows: CaseIterable, Sendable {
  case codes, grants, refreshTokens, emailCeremonies, mailCounts, knownClients, endedSessions, idleSessions
  case personalDetails

  /// A row to delete, or a group of rows with one key.
  struct Candidate: Hashable, Sendable {
    let key: SQLValue
    /// The account whose work must not run at the same time.
    let account: UserHandle?
  }

  /// The table, the column with the time, and the column that finds a candidate.
  private var place: (table: String, column: String, key: String) {
    switch self {
    case .codes: ("codes", "expiry", "digest")
    case .grants: ("grants", "expiry", "digest")
    case .refreshTokens: ("refresh_tokens", "expiry", "digest")
    case .emailCeremonies: ("email_ceremonies", "expiry", "id")
    case .mailCounts: ("mail_counts", "expiry", "email")
    // All expired clients of an account.
    case .knownClients: ("known_clients", "expiry", "user_handle")
    case .endedSessions: ("sessions", "ending", "id")
    case .idleSessions: ("sessions", "last_seen", "id")
    // All details of a record.
    case .personalDetails: ("personal_details", "recorded", "sequence")
    }
  }

  /// Whether the rows belong to accounts.
  private var haveAccounts: Bool {
    switch self {
    case .grants, .refreshTokens, .knownClients, .endedSessions, .idleSessions: true
    case .codes, .emailCeremonies, .mailCounts, .personalDetails: false
    }
  }

  /// The columns that a deletion returns.
  private var returned: String {
    switch self {
    case .codes, .emailCeremonies, .mailCounts: "email"
    // A response of the embedding server.
    case .grants: "answer"
    default: place.key
    }
  }

  /// The time before which rows are deleted; nil if such rows do not expire.
  func time(_ bounds: SweepBounds) -> UnixTime? {
    switch self {
    case .idleSessions: bounds.idleSince
    case .personalDetails: bounds.personalDetailsBefore
    default: bounds.time
    }
  }
}

// MARK: Finding

extension ExpiredRows {
  /// A statement that returns at most `limit` expired rows, the oldest first.
  ///
  /// The limit is part of the text, and the order is that of the index: otherwise PostgreSQL may plan to read the whole
  /// table, because it expects a third of all rows to have expired.
  func selection(before time: UnixTime, limit: Int) -> SQLStatement {
    let (table, column, key) = place
    return SQLStatement(
      """
      SELECT \(key)\(haveAccounts ? ", user_handle" : "") FROM \(table) WHERE \(column) < $1
      ORDER BY \(column) LIMIT \(max(0, limit))
      """, [.time(time)])
  }

  /// Returns the candidates in the rows of ``selection(before:limit:)``, each once.
  func candidates(in rows: [SQLRow]) throws(StorageError) -> [Candidate] {
    var known: Set<SQLValue> = []
    var candidates: [Candidate] = []
    for row in rows {
      guard let key = row.values.first, known.insert(key).inserted else { continue }
      candidates.append(Candidate(key: key, account: haveAccounts ? try row.opaque(1) : nil))
    }
    return candidates
  }
}

// MARK: Deletion

extension ExpiredRows {
  /// 16 candidates for each statement  [few round trips, and half a millisecond between two looks at the clock]
  private static let chunkCount = 16

  /// 3 ms  [a commit takes as long]
  private static let budget = Duration.milliseconds(3)

  /// The result of one transaction.
  struct Deletion: Sendable {
    /// The number of candidates that were looked at, which is at least one.
    var candidateCount = 0
    /// The number of deleted rows, or of records that lost personal details.
    var count = 0
    /// Whether the deleted rows had personal details.
    var isPersonal = false
  }

  /// Deletes candidates that still are expired, until some milliseconds have passed.
  func delete(
    _ candidates: ArraySlice<Candidate>, before time: UnixTime, in transaction: any SQLWrite, _ dialect: SQLDialect
  ) throws(StorageError) -> Deletion {
    let end = ContinuousClock.now + Self.budget
    var deletion = Deletion()
    repeat {
      let chunk = candidates.dropFirst(deletion.candidateCount).prefix(Self.chunkCount)
      let rows = try transaction.rows(self.deletion(of: chunk.map(\.key), before: time, dialect))
      deletion.candidateCount += chunk.count
      deletion.count += self == .personalDetails ? Set(rows).count : rows.count
      if try containsPersonalData(rows) { deletion.isPersonal = true }
      if self == .endedSessions || self == .idleSessions, !rows.isEmpty {
        try transaction.run(Self.endings(of: rows.compactMap(\.values.first)))
      }
    } while deletion.candidateCount < candidates.count && ContinuousClock.now < end
    return deletion
  }

  /// A statement that deletes candidates that still are expired.
  func deletion(of keys: [SQLValue], before time: UnixTime, _ dialect: SQLDialect) -> SQLStatement {
    let (table, column, key) = place
    let condition = "\(key) IN (\(Self.parameters(from: 2))) AND \(column) < $1"
    return SQLStatement(
      "DELETE FROM \(table) WHERE \(dialect.unlocked(table, where: condition)) RETURNING \(returned)",
      [.time(time)] + Self.padded(keys))
  }

  /// Statements that delete the refresh tokens and grants of sessions.
  static func endings(of sessions: [SQLValue]) -> [SQLStatement] {
    ["refresh_tokens", "grants"].map { (table) in
      SQLStatement("DELETE FROM \(table) WHERE session IN (\(parameters(from: 1)))", padded(sessions))
    }
  }

  private static func parameters(from first: Int) -> String {
    (first..<first + chunkCount).map { "$\($0)" }.joined(separator: ", ")
  }

  /// Repeats the last key, because texts of one length are prepared once.
  private static func padded(_ keys: [SQLValue]) -> [SQLValue] {
    keys + Array(repeating: keys.last ?? .null, count: max(0, chunkCount - keys.count))
  }

  private func containsPersonalData(_ rows: [SQLRow]) throws(StorageError) -> Bool {
    switch self {
    case .codes, .grants: return rows.contains { !$0.isNull(0) }
    // Each of these rows has an address or another detail.
    case .emailCeremonies, .mailCounts, .personalDetails: return !rows.isEmpty
    case .refreshTokens, .knownClients, .endedSessions, .idleSessions: return false
    }
  }
}

extension SQLDialect {
  /// A condition: the rows of `table` that meet `condition` and that no other transaction has locked.
  ///
  /// A statement that never waits for a row cannot deadlock with one that locks rows in another order.
  func unlocked(_ table: String, where condition: String) -> String {
    switch self {
    case .sqlite: condition
    case .postgreSQL:
      "ctid = ANY (ARRAY(SELECT ctid FROM \(table) WHERE \(condition) FOR UPDATE SKIP LOCKED))"
    }
  }

  /// Whether deleted data stays in files of this machine, so that a deletion of personal data makes a scrub due.
  var isScrubbed: Bool { self == .sqlite }
}
