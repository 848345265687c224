// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

/// Empties the write-ahead log of what was deleted: it has pages as they were before.
///
/// Somebody who reads just then, in whichever process, keeps the log from being emptied. So the database itself notes that
/// it is due, in the transaction that deletes something, and it is tried again with each sweep, and when the file is opened.
enum SQLiteScrub {
  /// Writers wait while readers are waited for.
  private static let patience = Duration.milliseconds(100)

  /// Scrubs where that is due. It waits in the caller's thread; what cannot be done now stays due.
  static func perform(_ path: String) throws(StorageError) {
    let connection = try SQLiteConnection(path, for: .writing, busyTimeout: patience)
    guard let row = try connection.rows("SELECT due FROM scrubs WHERE done < due").first else { return }
    // Most of it beside the writer, who then waits for the rest alone.
    SQLiteLog.carryOver(on: connection)
    guard let answer = try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)").first, try !answer.flag(0) else { return }
    _ = try connection.rows("UPDATE scrubs SET done = $1 WHERE done < $1", [.integer(try row.integer(0))])
  }
}
