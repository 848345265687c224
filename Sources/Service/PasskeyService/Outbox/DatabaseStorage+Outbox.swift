// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import PasskeyStorage
internal import WebAuthnTypes

extension DatabaseStorage {
  /// Writes notices that belong to no audit record.
  package func enqueue(_ notices: [RoutedNotice]) async throws(StorageError) {
    guard !notices.isEmpty else { return }
    try await write(.objects(notices.locks)) { (transaction) throws(StorageError) in
      try transaction.enqueue(notices)
    }
  }

  /// Claims due notices. Of any number of concurrent calls, on any number of servers, only one gets each notice.
  ///
  /// A power failure may undo the latest claims and results: their notices are then delivered again.
  ///
  /// - Returns: The notices, at most one of each lane: those of the first ``NoticeRank`` first, and of a rank those due
  ///   longest.
  package func claim(_ claim: OutboxClaim) async throws(StorageError) -> [OutboxItem] {
    let due = claim.due
    let destination = SQLValue.utf8(claim.destination.rawValue)
    let last = claim.strangerLimit > 0 ? NoticeRank.stranger : .notice
    let arrived = SQLStatement(
      "SELECT 1 FROM outbox WHERE destination = $1 AND arranged = 0 AND rank <= $2 LIMIT 1",
      [destination, .integer(Int64(last.rawValue))])
    // Most claims find nothing. A read does not wait for writers, nor do writers wait for it.
    let found = try await database.read { (transaction) throws(StorageError) in
      try transaction.batch([due, arrived]).contains { (rows) in !rows.isEmpty }
    }
    guard found else { return [] }
    let update = SQLStatement(
      """
      UPDATE outbox SET due = $5, owner = $6 WHERE number IN (\(due.text)) RETURNING \(OutboxItem.columns)
      """, due.values + [.time(claim.end), .fixed(claim.owner)])
    let arrangedCount = max(Self.arrangedCount, claim.limit)
    while true {
      let (items, isLast) = try await write(.delivery(destination: claim.destination.rawValue)) {
        (transaction) throws(StorageError) in
        // Users' notices, even if enough of strangers are due.
        var isLast = try transaction.arrange(destination, through: .notice, limit: arrangedCount) < arrangedCount
        if last == .stranger, try transaction.rows(due).count < claim.limit {
          isLast = try transaction.arrange(destination, through: last, limit: arrangedCount) < arrangedCount && isLast
        }
        var items: [OutboxItem] = []
        for row in try transaction.rows(update) { items.append(try OutboxItem(row)) }
        return (items.sorted { (one, other) in one.number < other.number }, isLast)
      }
      // All that was arranged may wait behind other notices of its lanes.
      if !items.isEmpty || isLast { return items }
    }
  }

  /// 128 notices [a transaction of some milliseconds, and enough for a deliverer that is busy]
  private static let arrangedCount = 128

  /// Writes what became of a claimed notice.
  ///
  /// A delivered notice leaves the outbox even if the claim has expired. The other outcomes change nothing if another
  /// deliverer has claimed the notice since.
  package func settle(
    _ item: OutboxItem, _ outcome: OutboxOutcome, at time: UnixTime
  ) async throws(StorageError) {
    let owner = item.owner.map { (owner) in SQLValue.fixed(owner) } ?? .null
    let row: [SQLValue] = [.integer(item.number), .fixed(item.notice.id)]
    let destination = SQLValue.utf8(item.destination.rawValue)
    try await write(.delivery(destination: item.destination.rawValue)) { (transaction) throws(StorageError) in
      switch outcome {
      case .delivered:
        // By number and notice: a number can be used again once its row is deleted.
        let deleted = try transaction.row(
          SQLStatement("DELETE FROM outbox WHERE number = $1 AND notice = $2 RETURNING lane", row))
        if let deleted { try transaction.promote(destination, .bytes(deleted.bytes(0)), at: time) }
      case .retry(let due, let delivered, let reason):
        try transaction.run(
          SQLStatement(
            """
            UPDATE outbox SET due = $4, attempts = attempts + 1, owner = NULL, delivered = $5, reason = $6
            WHERE number = $1 AND notice = $2 AND owner = $3 AND died IS NULL
            """,
            row + [owner, .time(due), .bytes(delivered.flatMap(\.bytes)[...]), .utf8(reason)]))
      case .dead(let reason):
        let died = try transaction.row(
          SQLStatement(
            """
            UPDATE outbox SET due = NULL, attempts = attempts + 1, owner = NULL, died = $4, reason = $5
            WHERE number = $1 AND notice = $2 AND owner = $3 AND died IS NULL RETURNING lane
            """, row + [owner, .time(time), .utf8(reason)]))
        if let died { try transaction.promote(destination, .bytes(died.bytes(0)), at: time) }
      }
    }
  }

  /// Lists notices in the order in which they were written.
  ///
  /// - Parameters:
  ///   - selection: Which notices to list.
  ///   - number: The ``OutboxItem/number`` after which to start; 0 for the beginning.
  ///   - limit: The maximum number of items.
  /// - Returns: The items.
  /// - Throws: A ``StorageError`` if the store fails.
  package func outboxItems(
    _ selection: OutboxSelection, after number: Int64, limit: Int
  ) async throws(StorageError) -> [OutboxItem] {
    let (condition, values) = selection.condition
    let statement = SQLStatement(
      """
      SELECT \(OutboxItem.columns) FROM outbox WHERE \(condition) AND number > $\(values.count + 1)
      ORDER BY number LIMIT $\(values.count + 2)
      """, values + [.integer(number), .integer(Int64(clamping: limit))])
    return try await database.read { (transaction) throws(StorageError) in
      var items: [OutboxItem] = []
      for row in try transaction.rows(statement) { items.append(try OutboxItem(row)) }
      return items
    }
  }

  /// Makes notices due now, and dead letters wait again, with no failed attempts. Claimed notices stay as they are.
  ///
  /// - Returns: The number of changed items.
  package func requeue(_ selection: OutboxSelection, at time: UnixTime) async throws(StorageError) -> Int {
    let (condition, values) = selection.condition
    let dead = SQLStatement(
      """
      UPDATE outbox SET died = NULL, attempts = 0 WHERE died IS NOT NULL AND \(condition)
      RETURNING destination, lane
      """, values)
    let waiting = SQLStatement(
      """
      UPDATE outbox SET due = $\(values.count + 1), attempts = 0 WHERE due IS NOT NULL AND owner IS NULL AND \(condition)
      RETURNING number
      """, values + [.time(time)])
    // These are due already.
    let arrived = SQLStatement("SELECT count(*) FROM outbox WHERE arranged = 0 AND \(condition)", values)
    return try await write(.serial) { (transaction) throws(StorageError) in
      let arrivedCount = Int(clamping: try transaction.row(arrived)?.integer(0) ?? 0)
      let count = try transaction.rows(waiting).count + arrivedCount
      let revived = try transaction.rows(dead)
      for row in revived {
        let (destination, lane) = (SQLValue.bytes(try row.bytes(0)), SQLValue.bytes(try row.bytes(1)))
        // Another notice of the lane may be due or claimed: then this one waits behind it.
        let isBusy = try transaction.row(
          SQLStatement(
            """
            SELECT 1 FROM outbox
            WHERE destination = $1 AND lane = $2 AND died IS NULL AND arranged = 1 AND due IS NOT NULL LIMIT 1
            """, [destination, lane]))
        if isBusy == nil { try transaction.promote(destination, lane, at: time) }
      }
      transaction.writesNotices = true
      return count + revived.count
    }
  }

  /// Deletes notices without delivering them.
  ///
  /// - Returns: The number of deleted items.
  package func drop(_ selection: OutboxSelection, at time: UnixTime) async throws(StorageError) -> Int {
    let (condition, values) = selection.condition
    let deletion = SQLStatement("DELETE FROM outbox WHERE \(condition) RETURNING destination, lane", values)
    return try await write(.serial) { (transaction) throws(StorageError) in
      let rows = try transaction.rows(deletion)
      for row in rows { try transaction.promote(.bytes(try row.bytes(0)), .bytes(try row.bytes(1)), at: time) }
      return rows.count
    }
  }

  /// Counts the notices of each destination that has any.
  package func outboxCounts() async throws(StorageError) -> [OutboxCount] {
    let statement = SQLStatement(
      """
      SELECT destination, count(*), count(died), min(CASE WHEN died IS NULL THEN time END) FROM outbox
      GROUP BY destination ORDER BY destination
      """)
    return try await database.read { (transaction) throws(StorageError) in
      var counts: [OutboxCount] = []
      for row in try transaction.rows(statement) {
        let (all, dead) = (Int(clamping: try row.integer(1)), Int(clamping: try row.integer(2)))
        counts.append(
          OutboxCount(
            destination: DestinationName(rawValue: try row.utf8(0)), waiting: all - dead, dead: dead,
            oldest: try row.optionalTime(3)))
      }
      return counts
    }
  }

  /// Writes a notice (``Notice/expiring(_:of:at:now:)``) for each session that ends between the end of the previous call's
  /// period and `end`. The store keeps the end of the period, so each session is announced once, on any server.
  ///
  /// - Parameters:
  ///   - end: The end of the period.
  ///   - time: The current time.
  ///   - destinations: The destinations of the notices.
  ///   - limit: The number of sessions after which to stop. Sessions that end at the same time are not separated.
  /// - Returns: The number of notices. If it reaches `limit`, call again.
  /// - Throws: A ``StorageError`` if the store fails.
  package func announceExpiring(
    until end: UnixTime, at time: UnixTime, to destinations: [DestinationName], limit: Int
  ) async throws(StorageError) -> Int {
    var count = 0
    while count < limit, !Task.isCancelled {
      let step = min(limit - count, Self.announcedCount)
      let found = try await database.read { (transaction) throws(StorageError) in
        try transaction.expiring(until: end, at: time, limit: step)
      }
      guard let found else { break }
      count += try await write(.accounts(found.accounts)) { (transaction) throws(StorageError) in
        // Fails if another server has announced these sessions since.
        let advance = SQLStatement(
          "UPDATE announcements SET through = $1 WHERE id = 1 AND through = $2 RETURNING id",
          [.time(found.through), .time(found.before)])
        guard try transaction.row(advance) != nil else { return 0 }
        let notices = try transaction.rows(found.selection).map { (row) throws(StorageError) in
          RoutedNotice(
            .expiring(try row.fixed(0), of: try row.opaque(1), at: try row.time(2), now: time), to: destinations)
        }
        try transaction.enqueue(notices)
        return notices.count
      }
    }
    return count
  }

  /// 128 sessions [few locks of accounts]
  private static let announcedCount = 128
}

/// Sessions that end soon and were not announced yet.
private struct ExpiringSessions: Sendable {
  /// The end of the period that was announced before.
  let before: UnixTime
  /// The times between which the sessions end, the first one excluded.
  let start: UnixTime
  let through: UnixTime
  var accounts: Set<UserHandle> = []

  var selection: SQLStatement {
    SQLStatement(
      "SELECT id, user_handle, ending FROM sessions WHERE ending > $1 AND ending <= $2 ORDER BY ending",
      [.time(start), .time(through)])
  }
}

extension SQLTransaction {
  /// Finds the next sessions to announce, about `limit` of them; those that end at the same time are not separated. Returns
  /// nil if no session ends.
  fileprivate func expiring(
    until end: UnixTime, at time: UnixTime, limit: Int
  ) throws(StorageError) -> ExpiringSessions? {
    guard let row = try row(SQLStatement("SELECT through FROM announcements WHERE id = 1")) else {
      throw StorageError(.corrupt, "the row of announcements is missing")
    }
    let before = try row.time(0)
    // Sessions that have ended meanwhile are not announced.
    let start = max(before, time)
    let last = try rows(
      SQLStatement(
        "SELECT ending FROM sessions WHERE ending > $1 AND ending <= $2 ORDER BY ending LIMIT $3",
        [.time(start), .time(end), .integer(Int64(clamping: limit))])
    ).last
    guard let through = try last?.time(0) else { return nil }
    var found = ExpiringSessions(before: before, start: start, through: through)
    for row in try rows(found.selection) { found.accounts.insert(try row.opaque(1)) }
    return found
  }
}
