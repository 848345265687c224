// SPDX-License-Identifier: Apache-2.0

public import PasskeyService

/// A store on a PostgreSQL server, which several of our servers may use at once.
///
/// A transaction is committed when its method returns. One that fails before its commit is tried again where that may
/// help; where the answer to a commit is lost, the error says that nobody knows (`outcomeUnknown`).
public final class PostgreSQLStorage: DatabaseStorage, @unchecked Sendable {  // It has nothing that changes.
  /// Connects to the database, and brings it to the schema of this version.
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
