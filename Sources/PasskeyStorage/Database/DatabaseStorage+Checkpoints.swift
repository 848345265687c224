// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WireFormats

extension DatabaseStorage {
  /// Deletes at most `limit` checkpoints of a period that no witness cosigned and whose successor was signed in the same
  /// hour, so that the last one of each hour remains. Returns their number.
  ///
  /// Several servers may sweep at once: all delete in the same order.
  func sweepCheckpoints(of period: Range<Timestamp>, limit: Int) async throws(StorageError) -> Int {
    let superseded = SQLStatement(
      """
      SELECT epoch, size FROM audit_checkpoints AS old WHERE cosigned = 0 AND signed >= $1 AND signed < $2
        AND signed / 3600 = (
          SELECT later.signed / 3600 FROM audit_checkpoints AS later
          WHERE later.epoch = old.epoch AND later.size > old.size ORDER BY later.size LIMIT 1)
      ORDER BY epoch, size LIMIT \(max(0, limit))
      """, [.time(period.lowerBound), .time(period.upperBound)])
    let rows = try await database.read { (transaction) throws(StorageError) in try transaction.rows(superseded) }
    guard !rows.isEmpty else { return 0 }
    var count = 0
    for start in stride(from: 0, to: rows.count, by: Self.checkpointStep) {
      let deletions = rows[start...].prefix(Self.checkpointStep).map { (row) in
        SQLStatement(
          "DELETE FROM audit_checkpoints WHERE epoch = $1 AND size = $2 AND cosigned = 0 RETURNING size", row.values)
      }
      count += try await database.write(.parallel, closed: deletions).reduce(0) { $0 + $1.count }
    }
    return count
  }

  // 64 checkpoints in a transaction  [a few milliseconds]
  private static let checkpointStep = 64
}
