// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WireFormats

extension DatabaseStorage {
  /// Deletes at most `limit` checkpoints of a period that no witness cosigned and whose successor was signed in the same
  /// hour, so that the last one of each hour remains. Returns their number.
  ///
  /// No other work changes such checkpoints.
  func sweepCheckpoints(of period: Range<Timestamp>, limit: Int) async throws(StorageError) -> Int {
    let superseded = SQLStatement(
      """
      SELECT epoch, size FROM audit_checkpoints AS old WHERE cosigned = 0 AND signed >= $1 AND signed < $2
        AND signed / 3600 = (
          SELECT later.signed / 3600 FROM audit_checkpoints AS later
          WHERE later.epoch = old.epoch AND later.size > old.size ORDER BY later.size LIMIT 1)
      LIMIT \(max(0, limit))
      """, [.time(period.lowerBound), .time(period.upperBound)])
    let rows = try await database.read { (transaction) throws(StorageError) in try transaction.rows(superseded) }
    guard !rows.isEmpty else { return 0 }
    let deletions = rows.map { (row) in
      SQLStatement("DELETE FROM audit_checkpoints WHERE epoch = $1 AND size = $2 AND cosigned = 0", row.values)
    }
    _ = try await database.write(.parallel, closed: deletions)
    return rows.count
  }
}
