// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
package import PasskeyStorage

extension DatabaseStorage {
  /// Deletes expired rows, about `limit` of each kind at most, and holds no lock for long. The caller repeats the call
  /// until it returns zero.
  ///
  /// - Returns: The number of deleted rows.
  package func sweep(_ bounds: SweepBounds, limit: Int) async throws(StorageError) -> Int {
    var count = try await sweepSpent(before: bounds.spentBefore, limit: limit)
    for expired in try await expiredRows(bounds, limit) { count += try await delete(expired) }
    if let period = bounds.checkpoints { count += try await sweepCheckpoints(of: period, limit: limit) }
    // Once at the end of a sweep, not after each batch.
    if count == 0 {
      await database.scrub()
      await database.reclaim()
    }
    return count
  }

  /// Expired rows of a kind.
  private struct Expired {
    let rows: ExpiredRows
    let time: UnixTime
    let candidates: [ExpiredRows.Candidate]
  }

  private func expiredRows(_ bounds: SweepBounds, _ limit: Int) async throws(StorageError) -> [Expired] {
    let kinds = ExpiredRows.allCases.compactMap { (rows) in rows.time(bounds).map { (rows, $0) } }
    return try await database.read { (transaction) throws(StorageError) in
      let found = try transaction.batch(kinds.map { (rows, time) in rows.selection(before: time, limit: limit) })
      return try zip(kinds, found).map { (kind, rows) throws(StorageError) in
        Expired(rows: kind.0, time: kind.1, candidates: try kind.0.candidates(in: rows))
      }
    }
  }

  /// Deletes expired rows and returns their number.
  private func delete(_ expired: Expired) async throws(StorageError) -> Int {
    var rest = expired.candidates[...]
    var count = 0
    while !rest.isEmpty, !Task.isCancelled {
      let step = rest.prefix(Self.stepCount)
      let accounts = Set(step.compactMap(\.account))
      let dialect = database.dialect
      let start = ContinuousClock.now
      let deletion = try await write(.accounts(accounts)) {
        (transaction) throws(StorageError) in
        let deletion = try expired.rows.delete(step, before: expired.time, in: transaction, dialect)
        if deletion.isPersonal, dialect.isScrubbed { try transaction.run(.markScrubDue) }
        return deletion
      }
      rest = rest.dropFirst(deletion.candidateCount)
      count += deletion.count
      // Leaves half of the time to other writes.
      try? await Task.sleep(for: min(ContinuousClock.now - start, Self.longestPause))
    }
    return count
  }

  /// 50 ms [a longer wait for a transaction means that others are slow, and is no reason to stop]
  private static let longestPause = Duration.milliseconds(50)

  /// 128 candidates [more than a few milliseconds suffice for, and few locks of accounts]
  private static let stepCount = 128
}
