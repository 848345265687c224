// SPDX-License-Identifier: Apache-2.0

public import PasskeyService
internal import WireFormats

extension DatabaseStorage {
  /// Deletes expired rows, at most `limit` of each kind, and returns their number. When none is left, trims ceremonies
  /// and scrubs and compacts the database.
  public func sweep(_ bounds: SweepBounds, limit: Int) async throws(StorageError) -> Int {
    let forgotten = recent?.sweep(before: bounds.time, limit: limit) ?? 0
    let limit = SQLValue.integer(Int64(clamping: limit))
    let expired = [("codes", "email"), ("grants", "digest"), ("refresh_tokens", "digest")].map { (table, answer) in
      SQLStatement.deleting(from: table, by: "digest", before: bounds.time, limit, answering: answer)
    }
    let clients = SQLStatement.deleting(
      from: "known_clients", by: "client", before: bounds.time, limit, answering: "client")
    let emails = [("email_ceremonies", "id"), ("mail_counts", "email")].map { (table, key) in
      SQLStatement.deleting(from: table, by: key, before: bounds.time, limit, answering: key)
    }
    let ceremonies = SQLStatement.deleting(
      from: "ceremonies", by: "id", before: bounds.time, limit, answering: PendingCeremony.columns)
    let count = try await database.write(.serial) { (transaction) throws(StorageError) in
      let answers = try transaction.batch(expired + emails + [clients, ceremonies])
      var count = answers.reduce(forgotten) { (count, rows) in count + rows.count }
      var isPersonal = answers.first?.contains { (code) in !code.isNull(0) } ?? false
      // Each of these rows has an address.
      isPersonal = isPersonal || answers.dropFirst(expired.count).prefix(emails.count).contains { !$0.isEmpty }
      for row in answers.last ?? [] where !isPersonal {
        isPersonal = try PendingCeremony([row])?.hasAddress ?? false
      }
      count += try transaction.sweepSessions(bounds, limit)
      if let time = bounds.personalDetailsBefore {
        let details = try transaction.sweepDetails(before: time, limit)
        count += details
        isPersonal = isPersonal || details > 0
      }
      if isPersonal { try transaction.run(.markScrubDue) }
      return count
    }
    // Once at the end of a sweep, not after each batch.
    if count == 0 {
      try await trimCeremonies()
      await database.scrub()
      await database.reclaim()
    }
    return count
  }
}

extension SQLTransaction {
  fileprivate func sweepSessions(_ bounds: SweepBounds, _ limit: SQLValue) throws(StorageError) -> Int {
    var rows = try rows(
      SQLStatement("SELECT id FROM sessions WHERE ending < $1 LIMIT $2", [.time(bounds.time), limit]))
    if let idle = bounds.idleSince {
      rows += try self.rows(
        SQLStatement(
          "SELECT id FROM sessions WHERE last_seen < $1 AND ending >= $2 LIMIT $3",
          [.time(idle), .time(bounds.time), limit]))
    }
    guard case .integer(let count) = limit else { return 0 }
    let swept = rows.prefix(Int(clamping: count))
    for row in swept { try run((try row.fixed(0, SessionID.self)).deletions) }
    return swept.count
  }

  /// Deletes the personal details of at most `limit` audit records and returns the number of records.
  fileprivate func sweepDetails(before time: Timestamp, _ limit: SQLValue) throws(StorageError) -> Int {
    let rows = try rows(
      SQLStatement(
        """
        DELETE FROM personal_details WHERE sequence IN
          (SELECT sequence FROM personal_details WHERE recorded < $1 GROUP BY sequence ORDER BY sequence LIMIT $2)
        RETURNING sequence
        """, [.time(time), limit]))
    return Set(rows).count
  }
}

extension SQLStatement {
  /// A statement that deletes up to `limit` expired rows and returns the given columns of them.
  fileprivate static func deleting(
    from table: String, by key: String, before time: Timestamp, _ limit: SQLValue, answering columns: String
  ) -> SQLStatement {
    SQLStatement(
      """
      DELETE FROM \(table)
      WHERE expiry < $1 AND \(key) IN (SELECT \(key) FROM \(table) WHERE expiry < $1 LIMIT $2)
      RETURNING \(columns)
      """, [.time(time), limit])
  }
}
