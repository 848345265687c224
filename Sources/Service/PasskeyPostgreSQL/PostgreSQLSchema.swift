// SPDX-License-Identifier: Apache-2.0

internal import PasskeyStorage

/// Creates the schema of a store in a PostgreSQL database, or refuses one of another version.
///
/// The creation is one transaction under an advisory lock. Two servers may start at once, and a killed server leaves no part
/// of a schema.
enum PostgreSQLSchema {
  /// The key of the advisory lock: "PKEY", twice.
  private static let lock: Int64 = 0x504b_4559_504b_4559

  static func prepare(_ configuration: PostgreSQLConfiguration, _ schema: Schema) throws(StorageError) {
    let reconnector = PostgreSQLReconnector(configuration, PostgreSQLBackOff())
    do throws(PostgreSQLFailure) {
      let connection = try reconnector.connected(until: .now + configuration.reconnectTimeout)
      connection.enqueue("BEGIN ISOLATION LEVEL READ COMMITTED")
      _ = try connection.rows("SELECT pg_advisory_xact_lock($1)", [.integer(lock)])
      if let version = try version(over: connection, configuration.schema) {
        do throws(StorageError) {
          try schema.require(version)
        } catch {
          throw PostgreSQLFailure(error, .none)
        }
      } else {
        for statement in schema.postgreSQLStatements { connection.enqueue(statement) }
        schema.rows.forEach(connection.enqueue)
        connection.enqueue("CREATE TABLE passkey_schema (version bigint NOT NULL)")
        connection.enqueue("INSERT INTO passkey_schema (version) VALUES ($1)", [.integer(schema.version)])
      }
      try connection.commit()
    } catch {
      throw error.error.code == .failed ? StorageError(.migrationFailed, error.error.detail) : error.error
    }
  }

  /// Returns the version of the store, or nil without one. Creates a missing schema of the database for it.
  private static func version(
    over connection: PostgreSQLConnection, _ schema: String
  ) throws(PostgreSQLFailure) -> Int64? {
    if try connection.rows("SELECT 1 FROM pg_namespace WHERE nspname = $1", [.text(schema)]).isEmpty {
      // The schema name needs no quoting: it contains only letters, digits and underscores.
      connection.enqueue("CREATE SCHEMA \(schema)")
    }
    let tables = try connection.rows(
      "SELECT tablename FROM pg_tables WHERE schemaname = $1 ORDER BY tablename = 'passkey_schema' DESC LIMIT 1",
      [.text(schema)])
    guard let table = tables.first else { return nil }
    guard table.values == [.text("passkey_schema")] else {
      throw PostgreSQLFailure(StorageError(.foreign, "the schema \(schema) belongs to another program"), .none)
    }
    guard case .integer(let version)? = try connection.rows("SELECT version FROM passkey_schema").first?.values.first
    else {
      throw PostgreSQLFailure(StorageError(.corrupt, "the schema has no version"), .none)
    }
    return version
  }
}
