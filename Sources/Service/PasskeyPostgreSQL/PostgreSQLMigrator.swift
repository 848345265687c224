// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import PasskeyStorage

/// Migrates the schema of a PostgreSQL database.
///
/// The whole migration is one transaction under an advisory lock. Two servers may start at once, and a killed server
/// leaves no partial migration.
enum PostgreSQLMigrator {
  /// The key of the advisory lock: "PKEY", twice.
  private static let lock: Int64 = 0x504b_4559_504b_4559

  /// 600 seconds, because a migration may rewrite a table.
  private static let statementTimeout = Duration.seconds(600)

  static func migrate(
    _ configuration: PostgreSQLConfiguration, _ migrations: [Migration]
  ) throws(StorageError) {
    var settings = configuration
    settings.statementTimeout = statementTimeout
    let reconnector = PostgreSQLReconnector(settings, PostgreSQLBackOff())
    do throws(PostgreSQLFailure) {
      let connection = try reconnector.connected(until: .now + configuration.reconnectTimeout)
      try migrate(over: connection, configuration.schema, migrations)
    } catch {
      throw error.error.code == .failed ? StorageError(.migrationFailed, error.error.detail) : error.error
    }
  }

  private static func migrate(
    over connection: PostgreSQLConnection, _ schema: String, _ migrations: [Migration]
  ) throws(PostgreSQLFailure) {
    connection.enqueue("BEGIN ISOLATION LEVEL READ COMMITTED")
    _ = try connection.rows("SELECT pg_advisory_xact_lock($1)", [.integer(lock)])
    let version = try version(over: connection, schema)
    guard version <= migrations.count else {
      throw PostgreSQLFailure(
        StorageError(
          .schemaNewer, "the database has schema \(version), and this version knows \(migrations.count)"), .none)
    }
    let missing = migrations.dropFirst(version)
    let isDropping = missing.contains { $0.statements.contains { $0.hasPrefix("DROP TABLE") } }
    let references = isDropping ? try foreignKeys(over: connection, to: schema) : []
    references.map(\.removal).forEach { connection.enqueue($0) }
    for migration in missing {
      for statement in migration.postgreSQLStatements { connection.enqueue(statement) }
      migration.rows.forEach(connection.enqueue)
      try connection.flush()
    }
    references.map(\.addition).forEach { connection.enqueue($0) }
    connection.enqueue("UPDATE passkey_schema SET version = $1", [.integer(Int64(migrations.count))])
    try connection.commit()
  }

  /// Returns statements that remove and add the foreign keys of the embedding server that reference the store's tables,
  /// which PostgreSQL would otherwise not drop.
  private static func foreignKeys(
    over connection: PostgreSQLConnection, to schema: String
  ) throws(PostgreSQLFailure) -> [(removal: String, addition: String)] {
    let rows = try connection.rows(
      """
      SELECT 'ALTER TABLE ' || conrelid::regclass::text || ' DROP CONSTRAINT ' || quote_ident(conname),
        'ALTER TABLE ' || conrelid::regclass::text || ' ADD CONSTRAINT ' || quote_ident(conname) || ' '
          || pg_get_constraintdef(pg_constraint.oid)
      FROM pg_constraint JOIN pg_class ON pg_class.oid = confrelid
        JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE contype = 'f' AND conparentid = 0 AND nspname = $1
      """, [.text(schema)])
    do throws(StorageError) {
      return try rows.map { (row) throws(StorageError) in (try row.text(0), try row.text(1)) }
    } catch {
      throw PostgreSQLFailure(error, .none)
    }
  }

  /// Returns the number of applied migrations. Creates the schema and its version table if they are missing.
  private static func version(
    over connection: PostgreSQLConnection, _ schema: String
  ) throws(PostgreSQLFailure) -> Int {
    if try connection.rows("SELECT 1 FROM pg_namespace WHERE nspname = $1", [.text(schema)]).isEmpty {
      // The schema name needs no quoting: it contains only letters, digits and underscores.
      connection.enqueue("CREATE SCHEMA \(schema)")
    }
    let tables = try connection.rows(
      "SELECT tablename FROM pg_tables WHERE schemaname = $1 ORDER BY tablename = 'passkey_schema' DESC LIMIT 1",
      [.text(schema)])
    guard let table = tables.first else {
      connection.enqueue("CREATE TABLE passkey_schema (version bigint NOT NULL)")
      connection.enqueue("INSERT INTO passkey_schema (version) VALUES (0)")
      try connection.flush()
      return 0
    }
    guard table.values == [.text("passkey_schema")] else {
      throw PostgreSQLFailure(StorageError(.foreign, "the schema \(schema) belongs to another program"), .none)
    }
    guard case .integer(let version)? = try connection.rows("SELECT version FROM passkey_schema").first?.values.first,
      let count = Int(exactly: version), count >= 0
    else { throw PostgreSQLFailure(StorageError(.corrupt, "the schema has no version"), .none) }
    return count
  }
}
