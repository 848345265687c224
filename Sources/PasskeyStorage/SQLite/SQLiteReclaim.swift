// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

/// Gives the file's free pages back to the system, by incremental auto-vacuum.
enum SQLiteReclaim {
  /// Other writers wait while one round runs.
  private static let patience = Duration.milliseconds(100)

  // 256 pages, which is one megabyte, stay: the next writes use them.
  private static let keptPageCount: Int64 = 256

  // 512 pages a round [some milliseconds of the writer's] and 32 rounds a sweep: 64 MiB a minute.
  private static let roundPageCount: Int64 = 512
  private static let maximumRoundCount = 32

  /// Chooses incremental auto-vacuum. A file that has tables without it is rewritten once, which needs as much room again
  /// and no other reader; where that cannot be, the file stays as it is until it is opened again.
  static func prepare(_ connection: SQLiteConnection) throws(StorageError) {
    guard try connection.integer("PRAGMA auto_vacuum") != incremental else { return }
    let isEmpty = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
    try connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    guard !isEmpty else { return }
    let byteCount = try connection.integer("PRAGMA page_count") * connection.integer("PRAGMA page_size")
    // The copy is made in memory where it is small, as all that is temporary.
    if byteCount > memoryLimit { try connection.execute("PRAGMA temp_store = FILE") }
    try? connection.execute("VACUUM")
    if byteCount > memoryLimit { try connection.execute("PRAGMA temp_store = MEMORY") }
  }

  /// Frees pages until few are left; it waits in the caller's thread. What cannot be done now is done after a later sweep.
  static func perform(_ path: String) throws(StorageError) {
    let connection = try SQLiteConnection(path, for: .writing, busyTimeout: patience)
    var isChanged = false
    for _ in 0..<maximumRoundCount {
      let spare = try connection.integer("PRAGMA freelist_count") - keptPageCount
      guard spare > 0 else { break }
      _ = try connection.rows("PRAGMA incremental_vacuum(\(min(spare, roundPageCount)))")
      isChanged = true
    }
    // The file itself is cut off when the log is carried over.
    if isChanged { SQLiteLog.carryOver(on: connection) }
  }

  private static let incremental: Int64 = 2

  // 256 MiB
  private static let memoryLimit: Int64 = 256 << 20
}
