// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

/// Returns free pages to the file system by incremental auto-vacuum.
enum SQLiteReclaim {
  /// 100 ms  [to wait for a lock; other writers wait while a round runs]
  private static let busyTimeout = Duration.milliseconds(100)

  // 256 pages or 1 MiB  [kept for the next writes]
  private static let keptPageCount: Int64 = 256

  // 512 pages a round [a few milliseconds of the writer's time] and 32 rounds a sweep: 64 MiB a minute.
  private static let roundPageCount: Int64 = 512
  private static let maximumRoundCount = 32

  /// Enables incremental auto-vacuum. A file with tables but without auto-vacuum is rewritten once (VACUUM), which
  /// needs as much free space as the file's size and no concurrent readers. If that fails, the file stays as it is and
  /// the next start retries.
  static func prepare(_ connection: SQLiteConnection) throws(StorageError) {
    guard try connection.integer("PRAGMA auto_vacuum") != incremental else { return }
    let isEmpty = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
    try connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    guard !isEmpty else { return }
    let byteCount = try connection.integer("PRAGMA page_count") * connection.integer("PRAGMA page_size")
    // VACUUM uses a temporary copy: in memory for a small file, on disk for a large one.
    if byteCount > memoryLimit { try connection.execute("PRAGMA temp_store = FILE") }
    try? connection.execute("VACUUM")
    if byteCount > memoryLimit { try connection.execute("PRAGMA temp_store = MEMORY") }
  }

  /// Frees pages until few are left, blocking the calling thread. A later sweep frees what remains.
  static func perform(_ file: SQLiteFile) throws(StorageError) {
    let connection = try file.connection(for: .writing, busyTimeout: busyTimeout)
    var isChanged = false
    for _ in 0..<maximumRoundCount {
      let spare = try connection.integer("PRAGMA freelist_count") - keptPageCount
      guard spare > 0 else { break }
      _ = try connection.rows("PRAGMA incremental_vacuum(\(min(spare, roundPageCount)))")
      isChanged = true
    }
    // The checkpoint truncates the file itself.
    if isChanged { SQLiteWriteAheadLog.checkpointInRounds(on: connection) }
  }

  private static let incremental: Int64 = 2

  // 256 MiB [the largest temporary copy in memory]
  private static let memoryLimit: Int64 = 256 << 20
}

/// Removes deleted data from the write-ahead log, which still contains earlier versions of pages.
///
/// A concurrent reader in any process prevents the log's truncation. The transaction that deletes data therefore marks
/// a scrub as due in the database, and each sweep and each start retries it.
enum SQLiteScrub {
  /// 100 ms  [for readers to finish; writers wait in the meantime]
  private static let busyTimeout = Duration.milliseconds(100)

  /// Scrubs the log if a scrub is due, blocking the calling thread. A scrub that cannot run now stays due.
  static func perform(_ file: SQLiteFile) throws(StorageError) {
    let connection = try file.connection(for: .writing, busyTimeout: busyTimeout)
    guard let row = try connection.rows("SELECT due FROM scrubs WHERE done < due").first else { return }
    // Checkpoint most of the log without blocking the writer; the truncation then blocks it only briefly.
    SQLiteWriteAheadLog.checkpointInRounds(on: connection)
    guard let answer = try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)").first, try !answer.flag(0) else { return }
    _ = try connection.rows("UPDATE scrubs SET done = $1 WHERE done < $1", [.integer(try row.integer(0))])
  }
}
