// SPDX-License-Identifier: Apache-2.0

internal import PasskeyStorage

/// Creates the schema of a database file, or refuses one of another version.
///
/// In a file of the service, the application ID identifies the file as this project's, and the user version is that of the
/// schema. A file of the embedding server keeps both for the server: there the version is in the table `passkey_schema`, as in
/// PostgreSQL.
enum SQLiteSchema {
  /// "PKEY": shown by the `file` command for this project's databases.
  static let applicationID: Int64 = 0x504b_4559

  /// Version 3.35 introduced RETURNING.
  private static let oldestLibrary: Int64 = 3_035_000

  /// Returns the program that a file belongs to. A file without tables of the store counts as the service's.
  static func owner(of connection: SQLiteConnection) throws(StorageError) -> SQLiteFileOwner {
    guard try connection.integer("PRAGMA application_id") != applicationID, try hasVersionTable(connection) else {
      return .service
    }
    return .embeddingServer
  }

  /// Creates the schema of an empty file.
  ///
  /// - Throws: `storage.schema-older` or `storage.schema-newer` for a schema of another version, `storage.foreign` for a file of
  ///   another program, or `storage.migration-failed` if the schema cannot be created.
  static func prepare(
    _ connection: SQLiteConnection, _ schema: Schema = .current, owner: SQLiteFileOwner = .service
  ) throws(StorageError) {
    try requireLibrary()
    let isNew = try !hasSchema(connection, schema, owner)
    try enableLog(connection, owner)
    guard isNew else { return }
    try connection.execute("BEGIN IMMEDIATE")
    do throws(StorageError) {
      // Check again under the lock: another server may have created it.
      if try !hasSchema(connection, schema, owner) {
        for statement in schema.statements { try connection.execute(statement) }
        for row in schema.rows { _ = try connection.rows(row.text, row.values) }
        try write(schema.version, owner, on: connection)
      }
      try connection.execute("COMMIT")
    } catch {
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      throw error.code == .failed ? StorageError(.migrationFailed, error.detail) : error
    }
  }

  /// Throws unless the file has the schema of this version.
  static func require(_ connection: SQLiteConnection, owner: SQLiteFileOwner) throws(StorageError) {
    try requireLibrary()
    guard try hasSchema(connection, .current, owner) else {
      throw StorageError(.schemaOlder, "the file has no schema")
    }
  }

  /// Enables WAL mode, which is persistent and cannot be set within a transaction. In the service's own file, also enables
  /// auto-vacuum, which must be set before the first table is created and before WAL mode.
  private static func enableLog(_ connection: SQLiteConnection, _ owner: SQLiteFileOwner) throws(StorageError) {
    if case .service = owner { try SQLiteReclaim.prepare(connection) }
    let mode = try connection.rows("PRAGMA journal_mode = WAL").first?.text(0)
    guard mode == "wal" else {
      throw StorageError(.configurationInvalid, "the file cannot use WAL mode; its mode is \(mode ?? "unknown")")
    }
  }

  private static func requireLibrary() throws(StorageError) {
    guard SQLiteLibrary.version >= oldestLibrary else {
      throw StorageError(.failed, "SQLite \(SQLiteLibrary.versionText); 3.35 or later is required")
    }
  }

  /// Returns whether the file has the schema; false for a file without tables of the store. Throws if the file is another
  /// program's, or of another version.
  private static func hasSchema(
    _ connection: SQLiteConnection, _ schema: Schema, _ owner: SQLiteFileOwner
  ) throws(StorageError) -> Bool {
    let version =
      switch owner {
      case .service: try ownVersion(connection)
      case .embeddingServer: try sharedVersion(connection)
      }
    guard version != 0 else { return false }
    try schema.require(version)
    return true
  }

  /// Returns the version of a file of the service, or 0 if the file is empty.
  private static func ownVersion(_ connection: SQLiteConnection) throws(StorageError) -> Int64 {
    let application = try connection.integer("PRAGMA application_id")
    let tableCount = try connection.integer("SELECT count(*) FROM sqlite_schema")
    guard application == applicationID || (application == 0 && tableCount == 0) else {
      throw StorageError(.foreign, "the file belongs to another program")
    }
    return try connection.integer("PRAGMA user_version")
  }

  /// Returns the version of the store's tables in a file of the embedding server, or 0 before they are created.
  private static func sharedVersion(_ connection: SQLiteConnection) throws(StorageError) -> Int64 {
    guard try connection.integer("PRAGMA application_id") != applicationID else {
      throw StorageError(.foreign, "the file is a store of its own, not one of the embedding server")
    }
    if try hasVersionTable(connection) {
      do throws(StorageError) {
        return try connection.integer("SELECT version FROM passkey_schema")
      } catch {
        throw error.code == .failed ? StorageError(.foreign, "passkey_schema is no table of the store") : error
      }
    }
    let taken = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE substr(lower(name), 1, 8) = $1 ORDER BY name LIMIT 1",
      [.text(SQLTableNames.prefix)])
    if let name = try taken.first?.text(0) {
      throw StorageError(.foreign, "the name of \(name) begins like those of the store's tables")
    }
    return 0
  }

  private static func hasVersionTable(_ connection: SQLiteConnection) throws(StorageError) -> Bool {
    try connection.integer(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND lower(name) = 'passkey_schema'") == 1
  }

  private static func write(
    _ version: Int64, _ owner: SQLiteFileOwner, on connection: SQLiteConnection
  ) throws(StorageError) {
    switch owner {
    case .service:
      // Pragmas do not accept parameters.
      try connection.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
    case .embeddingServer:
      try connection.execute(
        "CREATE TABLE passkey_schema (version INTEGER NOT NULL); INSERT INTO passkey_schema (version) VALUES (\(version))"
      )
    }
  }
}
