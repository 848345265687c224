// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

/// Migrates the schema of a database file.
///
/// The application ID identifies the file as this project's. The user version is the number of applied migrations.
enum SQLiteMigrator {
  /// "PKEY": shown by the `file` command for this project's databases.
  static let applicationID: Int64 = 0x504b_4559

  /// Version 3.35 introduced RETURNING.
  private static let oldestLibrary: Int64 = 3_035_000

  static func migrate(
    _ connection: SQLiteConnection, _ migrations: [Migration] = Migration.all
  ) throws(StorageError) {
    try requireLibrary()
    try requireOwnDatabase(connection)
    try requireKnown(connection, migrations)
    // Auto-vacuum must be set before the first table is created and before WAL mode is enabled.
    try SQLiteReclaim.prepare(connection)
    // WAL mode cannot be set within a transaction. It is persistent.
    _ = try connection.rows("PRAGMA journal_mode = WAL")
    guard try connection.integer("PRAGMA user_version") < migrations.count else { return }
    try connection.execute("BEGIN IMMEDIATE")
    do throws(StorageError) {
      // Check again under the lock: another server may have migrated the file.
      try requireOwnDatabase(connection)
      let version = try requireKnown(connection, migrations)
      for migration in migrations.dropFirst(version) {
        for statement in migration.statements { try connection.execute(statement) }
        for row in migration.rows { _ = try connection.rows(row.text, row.values) }
      }
      // Pragmas do not accept parameters.
      try connection.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(migrations.count)")
      try connection.execute("COMMIT")
    } catch {
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      throw error.code == .failed ? StorageError(.migrationFailed, error.detail) : error
    }
  }

  private static func requireLibrary() throws(StorageError) {
    guard SQLiteLibrary.version >= oldestLibrary else {
      throw StorageError(.failed, "SQLite \(SQLiteLibrary.versionText); 3.35 or later is required")
    }
  }

  /// Throws unless the file has this project's application ID or is empty.
  private static func requireOwnDatabase(_ connection: SQLiteConnection) throws(StorageError) {
    guard try connection.integer("PRAGMA application_id") != applicationID else { return }
    guard try connection.integer("SELECT count(*) FROM sqlite_schema") == 0,
      try connection.integer("PRAGMA application_id") == 0
    else { throw StorageError(.foreign, "the file belongs to another program") }
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
