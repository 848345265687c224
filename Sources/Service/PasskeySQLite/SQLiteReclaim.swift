// SPDX-License-Identifier: Apache-2.0

internal import PasskeyStorage

/// Returns free pages to the file system by incremental auto-vacuum.
enum SQLiteReclaim {
  // 256 pages or 1 MiB  [kept for the next writes]
  private static let keptPageCount: Int64 = 256

  // 32 pages [half a millisecond between two looks at the clock] and 16,384 in a sweep: 64 MiB a minute.
  private static let roundPageCount: Int64 = 32
  private static let maximumPageCount: Int64 = 16_384

  /// 3 ms  [a commit takes as long]
  private static let budget = Duration.milliseconds(3)

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

  /// Frees pages until few are left, in transactions of a few milliseconds, between which other writes run. A later sweep
  /// frees what remains. Returns whether any were freed.
  static func perform(on database: some SQLDatabase) async throws(StorageError) -> Bool {
    var total: Int64 = 0
    while total < maximumPageCount {
      let count = try await database.write(.parallel) { (transaction) throws(StorageError) in
        try freePages(in: transaction)
      }
      guard count > 0 else { break }
      total += count
    }
    return total > 0
  }

  /// Frees pages until some milliseconds have passed, and returns their number.
  private static func freePages(in transaction: any SQLTransaction) throws(StorageError) -> Int64 {
    let end = ContinuousClock.now + budget
    var count: Int64 = 0
    repeat {
      guard let row = try transaction.row(SQLStatement("PRAGMA freelist_count")),
        try row.integer(0) >= keptPageCount + roundPageCount
      else { break }
      try transaction.run(SQLStatement("PRAGMA incremental_vacuum(\(roundPageCount))"))
      count += roundPageCount
    } while ContinuousClock.now < end
    return count
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
  /// 20 ms  [for readers to finish; writers wait in the meantime, and no sign-in may wait for more than 50]
  private static let busyTimeout = Duration.milliseconds(20)

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
