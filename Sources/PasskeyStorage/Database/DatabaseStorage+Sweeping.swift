// SPDX-License-Identifier: Apache-2.0

public import PasskeyService
internal import WireFormats

extension DatabaseStorage {
  /// Deletes what nobody can use any more.
  public func sweep(_ bounds: SweepBounds, limit: Int) async throws(StorageError) -> Int {
    let forgotten = recent?.sweep(before: bounds.time, limit: limit) ?? 0
    let limit = SQLValue.integer(Int64(clamping: limit))
    let expired = [("ceremonies", "id"), ("grants", "digest"), ("codes", "digest"), ("refresh_tokens", "digest")].map {
      (table, key) in
      SQLStatement(
        """
        DELETE FROM \(table) WHERE \(key) IN (SELECT \(key) FROM \(table) WHERE expiry < $1 LIMIT $2) RETURNING \(key)
        """, [.time(bounds.time), limit])
    }
    return try await database.write(.serial) { (transaction) throws(StorageError) in
      var count = try transaction.answers(expired).reduce(forgotten) { (count, rows) in count + rows.count }
      count += try transaction.sweepSessions(bounds, limit)
      if let time = bounds.personalDetailsBefore { count += try transaction.sweepDetails(before: time, limit) }
      return count
    }
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
    for row in swept { try run((try row.fixed(0, SessionID.self)).endings) }
    return swept.count
  }

  /// Deletes the details of so many records, and says of how many.
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
