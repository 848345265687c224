// SPDX-License-Identifier: Apache-2.0

public import PasskeyService
internal import WireFormats

extension DatabaseStorage {
  /// Deletes expired rows, at most `limit` of each kind, and returns their number. When none is left, trims ceremonies
  /// and scrubs and compacts the database.
  ///
  /// Each kind has a transaction of its own, and a kind without expired rows has none: a sign-in waits for one of them at
  /// most, not for all.
  public func sweep(_ bounds: SweepBounds, limit: Int) async throws(StorageError) -> Int {
    var count = recent?.sweep(before: bounds.time, limit: limit) ?? 0
    for rows in try await expiredRows(bounds) {
      count += try await database.write(.serial) { (transaction) throws(StorageError) in
        let swept = try rows.delete(in: transaction, bounds, limit)
        if swept.isPersonal { try transaction.run(.markScrubDue) }
        return swept.count
      }
    }
    // Once at the end of a sweep, not after each batch.
    if count == 0 {
      try await trimCeremonies()
      await database.scrub()
      await database.reclaim()
    }
    return count
  }

  /// Returns the kinds that have expired rows.
  private func expiredRows(_ bounds: SweepBounds) async throws(StorageError) -> [ExpiredRows] {
    let candidates = ExpiredRows.allCases.compactMap { (rows) in rows.selection(bounds).map { (rows, $0) } }
    return try await database.read { (transaction) throws(StorageError) in
      let found = try transaction.batch(candidates.map(\.1))
      return zip(candidates, found).filter { (_, rows) in !rows.isEmpty }.map(\.0.0)
    }
  }
}

/// A kind of rows that expire.
private enum ExpiredRows: CaseIterable, Sendable {
  case codes, grants, refreshTokens, emailCeremonies, mailCounts, knownClients, ceremonies, endedSessions, idleSessions
  case personalDetails, checkpoints

  /// The table, the column with the time, and the columns of the primary key.
  private var place: (table: String, column: String, key: String) {
    switch self {
    case .codes: ("codes", "expiry", "digest")
    case .grants: ("grants", "expiry", "digest")
    case .refreshTokens: ("refresh_tokens", "expiry", "digest")
    case .emailCeremonies: ("email_ceremonies", "expiry", "id")
    case .mailCounts: ("mail_counts", "expiry", "email")
    // A client alone would not do: an address may be known to a million accounts.
    case .knownClients: ("known_clients", "expiry", "user_handle, client")
    case .ceremonies: ("ceremonies", "expiry", "id")
    case .endedSessions: ("sessions", "ending", "id")
    case .idleSessions: ("sessions", "last_seen", "id")
    case .personalDetails: ("personal_details", "recorded", "sequence")
    case .checkpoints: ("audit_checkpoints", "signed", "epoch, size")
    }
  }

  /// The time before which rows are deleted; nil if such rows do not expire.
  private func time(_ bounds: SweepBounds) -> Timestamp? {
    switch self {
    case .idleSessions: bounds.idleSince
    case .personalDetails: bounds.personalDetailsBefore
    case .checkpoints: bounds.checkpoints?.upperBound
    default: bounds.time
    }
  }

  /// A statement that returns a row if there is one to delete.
  func selection(_ bounds: SweepBounds) -> SQLStatement? {
    if self == .checkpoints { return bounds.checkpoints.map { Self.supersededCheckpoints($0, limit: 1) } }
    return time(bounds).map { (time) in
      SQLStatement("SELECT 1 FROM \(place.table) WHERE \(place.column) < $1 LIMIT 1", [.time(time)])
    }
  }

  /// Deletes at most `limit` rows. Returns their number, and whether they had personal details.
  func delete(
    in transaction: any SQLWrite, _ bounds: SweepBounds, _ limit: Int
  ) throws(StorageError) -> (count: Int, isPersonal: Bool) {
    switch self {
    case .codes:
      let rows = try delete("email", in: transaction, bounds, limit)
      return (rows.count, rows.contains { !$0.isNull(0) })
    case .grants, .refreshTokens:
      return (try delete("digest", in: transaction, bounds, limit).count, false)
    case .knownClients:
      return (try delete("client", in: transaction, bounds, limit).count, false)
    case .emailCeremonies, .mailCounts:
      // Each of these rows has an address.
      let count = try delete("email", in: transaction, bounds, limit).count
      return (count, count > 0)
    case .ceremonies:
      let rows = try delete(PendingCeremony.columns, in: transaction, bounds, limit)
      for row in rows where try PendingCeremony([row])?.hasAddress ?? false { return (rows.count, true) }
      return (rows.count, false)
    case .endedSessions, .idleSessions:
      let sessions = try delete("id", in: transaction, bounds, limit)
      try transaction.run(Self.endings(of: sessions.map { (row) throws(StorageError) in try row.bytes(0) }))
      return (sessions.count, false)
    case .personalDetails:
      let count = Set(try delete("sequence", in: transaction, bounds, limit)).count
      return (count, count > 0)
    case .checkpoints:
      guard let period = bounds.checkpoints else { return (0, false) }
      let superseded = Self.supersededCheckpoints(period, limit: limit)
      let deletion = SQLStatement(
        "DELETE FROM audit_checkpoints WHERE (epoch, size) IN (\(superseded.text)) RETURNING size", superseded.values)
      return (try transaction.rows(deletion).count, false)
    }
  }

  /// Selects checkpoints of a period that no witness cosigned and whose successor was signed in the same hour. The last one
  /// of each hour remains.
  private static func supersededCheckpoints(_ period: Range<Timestamp>, limit: Int) -> SQLStatement {
    SQLStatement(
      """
      SELECT epoch, size FROM audit_checkpoints AS old WHERE cosigned = 0 AND signed >= $1 AND signed < $2
        AND signed / 3600 = (
          SELECT later.signed / 3600 FROM audit_checkpoints AS later
          WHERE later.epoch = old.epoch AND later.size > old.size ORDER BY later.size LIMIT 1)
      LIMIT \(max(0, limit))
      """, [.time(period.lowerBound), .time(period.upperBound)])
  }

  /// Deletes at most `limit` rows and returns columns of them. The limit is part of the text: with a parameter,
  /// PostgreSQL plans for a tenth of the table.
  private func delete(
    _ columns: String, in transaction: any SQLWrite, _ bounds: SweepBounds, _ limit: Int
  ) throws(StorageError) -> [SQLRow] {
    guard let time = time(bounds) else { return [] }
    let (table, column, key) = place
    // The records of personal details are limited, not their rows.
    let group = self == .personalDetails ? "GROUP BY sequence ORDER BY sequence" : ""
    return try transaction.rows(
      SQLStatement(
        """
        DELETE FROM \(table) WHERE \(self == .personalDetails ? "" : "\(column) < $1 AND ")(\(key)) IN
          (SELECT \(key) FROM \(table) WHERE \(column) < $1 \(group) LIMIT \(max(0, limit)))
        RETURNING \(columns)
        """, [.time(time)]))
  }

  // 64 [few round trips, and a text short enough to prepare]
  private static let sessionCount = 64

  /// Statements that delete the refresh tokens and grants of sessions.
  private static func endings(of sessions: [Bytes]) -> [SQLStatement] {
    let parameters = (1...sessionCount).map { "$\($0)" }.joined(separator: ", ")
    return stride(from: 0, to: sessions.count, by: sessionCount).flatMap { (start) in
      // An empty ID matches no session. Texts of one length are prepared once.
      let ids = sessions.dropFirst(start).prefix(sessionCount)
      let values = ids.map { SQLValue.bytes($0) } + Array(repeating: .bytes([]), count: sessionCount - ids.count)
      return ["refresh_tokens", "grants"].map { (table) in
        SQLStatement("DELETE FROM \(table) WHERE session IN (\(parameters))", values)
      }
    }
  }
}
