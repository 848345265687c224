// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

/// Removes deleted data from the write-ahead log, which still contains earlier versions of pages.
///
/// A concurrent reader in any process prevents the log's truncation. The transaction that deletes data therefore marks
/// a scrub as due in the database, and each sweep and each start retries it.
enum SQLiteScrub {
  /// 100 ms  [for readers to finish; writers wait in the meantime]
  private static let busyTimeout = Duration.milliseconds(100)

  /// Scrubs the log if a scrub is due, blocking the calling thread. A scrub that cannot run now stays due.
  static func perform(_ path: String) throws(StorageError) {
    let connection = try SQLiteConnection(path, for: .writing, busyTimeout: busyTimeout)
    guard let row = try connection.rows("SELECT due FROM scrubs WHERE done < due").first else { return }
    // Checkpoint most of the log without blocking the writer; the truncation then blocks it only briefly.
    SQLiteWriteAheadLog.checkpointInRounds(on: connection)
    guard let answer = try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)").first, try !answer.flag(0) else { return }
    _ = try connection.rows("UPDATE scrubs SET done = $1 WHERE done < $1", [.integer(try row.integer(0))])
  }
}
