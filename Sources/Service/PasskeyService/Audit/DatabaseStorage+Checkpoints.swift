// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyStorage

extension DatabaseStorage {
  /// Deletes at most `limit` checkpoints of a period that a later one of the same hour supersedes. Returns their number.
  ///
  /// - A checkpoint that no witness cosigned is superseded by the next one, so that the last one of each hour remains.
  /// - A cosigned one is superseded by a later one with cosignatures of the same witnesses, and perhaps of others.
  ///
  /// Several servers may sweep at once: all delete in the same order.
  func sweepCheckpoints(of period: Range<UnixTime>, limit: Int) async throws(StorageError) -> Int {
    let superseded = SQLStatement(
      """
      SELECT epoch, size FROM audit_checkpoints AS old WHERE cosigned = 0 AND signed >= $1 AND signed < $2
        AND signed / 3600 = (
          SELECT later.signed / 3600 FROM audit_checkpoints AS later
          WHERE later.epoch = old.epoch AND later.size > old.size ORDER BY later.size LIMIT 1)
      ORDER BY epoch, size LIMIT \(max(0, limit))
      """, [.time(period.lowerBound), .time(period.upperBound)])
    let rows = try await database.read { (transaction) throws(StorageError) in try transaction.rows(superseded) }
    let count = try await delete(
      rows.map { (row) in
        SQLStatement(
          "DELETE FROM audit_checkpoints WHERE epoch = $1 AND size = $2 AND cosigned = 0 RETURNING size", row.values)
      })
    let cosigned = try await supersededCosigned(of: period, limit: limit - rows.count)
    // A checkpoint that got a cosignature meanwhile stays.
    return try await count
      + delete(
        cosigned.map { (checkpoint) in
          SQLStatement(
            "DELETE FROM audit_checkpoints WHERE epoch = $1 AND size = $2 AND note = $3 RETURNING size",
            [.integer(checkpoint.epoch), .count(checkpoint.size), .bytes(checkpoint.note)])
        })
  }

  /// Returns cosigned checkpoints of a period that later ones of it supersede, in the order of their epochs and sizes.
  ///
  /// Reads the notes of one hour at a time, because a busy hour has hundreds of them.
  private func supersededCosigned(
    of period: Range<UnixTime>, limit: Int
  ) async throws(StorageError) -> [StoredCheckpoint] {
    guard limit > 0 else { return [] }
    let hours = SQLStatement(
      """
      SELECT epoch, signed / 3600 FROM audit_checkpoints WHERE cosigned = 1 AND signed >= $1 AND signed < $2
      GROUP BY epoch, signed / 3600 HAVING count(*) > 1 ORDER BY epoch, signed / 3600
      """, [.time(period.lowerBound), .time(period.upperBound)])
    let rows = try await database.read { (transaction) throws(StorageError) in try transaction.rows(hours) }
    var found: [StoredCheckpoint] = []
    for row in rows {
      // The next sweep continues.
      guard !Task.isCancelled else { return [] }
      let start = UnixTime(secondsSince1970: try row.integer(1) * 3_600)
      let hour = (start..<start + .seconds(3_600)).clamped(to: period)
      let epoch = try row.integer(0)
      let checkpoints = try await database.read { (transaction) throws(StorageError) in
        try transaction.rows(StoredCheckpoint.cosigned(of: epoch, in: hour)).map { (row) throws(StorageError) in
          try StoredCheckpoint(row)
        }
      }
      found += checkpoints.superseded
      guard found.count < limit else { break }
    }
    return Array(found.sorted { ($0.epoch, $0.size) < ($1.epoch, $1.size) }.prefix(limit))
  }

  /// Executes deletions that return the deleted rows. Returns the number of these.
  private func delete(_ deletions: [SQLStatement]) async throws(StorageError) -> Int {
    var count = 0
    for start in stride(from: 0, to: deletions.count, by: Self.checkpointStep) {
      let step = Array(deletions[start...].prefix(Self.checkpointStep))
      count += try await database.write(.parallel, closed: step).reduce(0) { $0 + $1.count }
    }
    return count
  }

  // 64 checkpoints in a transaction  [a few milliseconds]
  private static let checkpointStep = 64
}

extension StoredCheckpoint {
  /// Selects the cosigned checkpoints of an epoch that were signed in this period, the smallest first.
  static func cosigned(of epoch: Int64, in period: Range<UnixTime>) -> SQLStatement {
    // The sign keeps SQLite from searching by the primary key, and so through the whole epoch.
    SQLStatement(
      """
      SELECT epoch, size, signed, cosigned, note FROM audit_checkpoints
      WHERE cosigned = 1 AND +epoch = $1 AND signed >= $2 AND signed < $3 ORDER BY size
      """, [.integer(epoch), .time(period.lowerBound), .time(period.upperBound)])
  }
}
