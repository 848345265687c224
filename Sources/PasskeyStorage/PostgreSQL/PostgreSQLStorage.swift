// SPDX-License-Identifier: Apache-2.0

public import PasskeyService

/// A store on a PostgreSQL server, which several servers of this service may share.
///
/// A transaction is committed when its method returns. A transaction that fails before its commit is retried if a retry
/// may help. If the response to a commit is lost, the method throws `outcomeUnknown`.
public final class PostgreSQLStorage: DatabaseStorage, @unchecked Sendable {  // constants and an atomic only
  /// Connects to the database and migrates its schema.
  public static func open(_ configuration: PostgreSQLConfiguration) async throws(StorageError) -> PostgreSQLStorage {
    try await open(configuration, ceremonyByteLimit: BoundedCeremonies.byteLimit)
  }

  static func open(
    _ configuration: PostgreSQLConfiguration, ceremonyByteLimit: Int
  ) async throws(StorageError) -> PostgreSQLStorage {
    PostgreSQLStorage(
      try await WorkerThread.run { () throws(StorageError) in
        try PostgreSQLDatabase(configuration, migrations: Migration.all)
      }, ceremonyByteLimit: ceremonyByteLimit)
  }

  private init(_ database: PostgreSQLDatabase, ceremonyByteLimit: Int) {
    super.init(database, ceremonyByteLimit: ceremonyByteLimit)
  }
}
