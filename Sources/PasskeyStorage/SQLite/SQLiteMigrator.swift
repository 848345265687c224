// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

/// Brings a database file to the schema of this version.
///
/// The file says by its application id whose it is, and by its user version how many migrations it has.
enum SQLiteMigrator {
  /// "PKEY": what the `file` program shows of a database of this project.
  static let applicationID: Int64 = 0x504b_4559

  /// RETURNING came with 3.35.
  private static let oldestLibrary: Int64 = 3_035_000

  static func migrate(
    _ connection: SQLiteConnection, _ migrations: [Migration] = Migration.all
  ) throws(StorageError) {
    try requireLibrary()
    try requireOurs(connection)
    try requireKnown(connection, migrations)
    // Before the first table, and before the log.
    try SQLiteReclaim.prepare(connection)
    // WAL cannot be chosen inside a transaction, and stays chosen.
    _ = try connection.rows("PRAGMA journal_mode = WAL")
    guard try connection.integer("PRAGMA user_version") < migrations.count else { return }
    try connection.execute("BEGIN IMMEDIATE")
    do throws(StorageError) {
      // Another server may have been quicker.
      try requireOurs(connection)
      let version = try requireKnown(connection, migrations)
      for migration in migrations.dropFirst(version) {
        for statement in migration.statements { try connection.execute(statement) }
        for row in migration.rows { _ = try connection.rows(row.text, row.values) }
      }
      // Values of pragmas are no parameters.
      try connection.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(migrations.count)")
      try connection.execute("COMMIT")
    } catch {
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      throw error.code == .failed ? StorageError(.migrationFailed, error.detail) : error
    }
  }

  private static func requireLibrary() throws(StorageError) {
    guard SQLiteLibrary.version >= oldestLibrary else {
      throw StorageError(.failed, "SQLite \(SQLiteLibrary.versionText); 3.35 is the oldest that will do")
    }
  }

  /// A file is ours by its application id, or while nothing is in it.
  private static func requireOurs(_ connection: SQLiteConnection) throws(StorageError) {
    guard try connection.integer("PRAGMA application_id") != applicationID else { return }
    guard try connection.integer("SELECT count(*) FROM sqlite_schema") == 0,
      try connection.integer("PRAGMA application_id") == 0
    else { throw StorageError(.foreign, "the file is another program's database") }
  }

  @discardableResult
  private static func requireKnown(
    _ connection: SQLiteConnection, _ migrations: [Migration]
  ) throws(StorageError) -> Int {
    let version = try connection.integer("PRAGMA user_version")
    guard let count = Int(exactly: version), (0...migrations.count).contains(count) else {
      throw StorageError(.schemaNewer, "the file has schema \(version), and this version knows \(migrations.count)")
    }
    return count
  }
}
