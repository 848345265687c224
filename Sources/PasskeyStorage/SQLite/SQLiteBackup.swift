// SPDX-License-Identifier: Apache-2.0

internal import CSQLite
internal import PasskeyService

/// SQLite's online backup.
enum SQLiteBackup {
  /// Copies a database to a new file while other connections read and write.
  ///
  /// Copies all pages in one step, and so in one snapshot. In WAL mode this blocks no writer; a copy in several steps
  /// would restart after each write.
  static func copy(_ path: String, to copy: String, busyTimeout: Duration) throws(StorageError) {
    let source = try SQLiteConnection(path, for: .reading, busyTimeout: busyTimeout)
    let target = try SQLiteConnection(copy, for: .writing, busyTimeout: busyTimeout)
    guard try target.integer("PRAGMA page_count") == 0 else {
      throw StorageError(.failed, "there is a file at \(copy)")
    }
    try source.withPointer { (source) throws(StorageError) in
      try target.withPointer { (target) throws(StorageError) in
        guard let backup = unsafe sqlite3_backup_init(target, "main", source, "main") else {
          throw unsafe SQLiteFailure.error(sqlite3_errcode(target), on: target)
        }
        let step = unsafe sqlite3_backup_step(backup, -1)
        let end = unsafe sqlite3_backup_finish(backup)
        guard step == SQLITE_DONE, end == SQLITE_OK else {
          throw unsafe SQLiteFailure.error(end == SQLITE_OK ? step : end, on: target)
        }
      }
    }
  }
}
