// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

/// A database on a server, which several of ours may use at once.
///
/// Two threads write. Serial writes hold the row in which the audit trail ends, and so are alone with everything that they
/// read; free ones are single statements that need no such order.
final class PostgreSQLDatabase: SQLDatabase {
  private let serialWriter: PostgreSQLWriter
  private let freeWriter: PostgreSQLWriter
  private let readers: PostgreSQLReaders

  /// Connects, and brings the schema to that of this version. It waits in the caller's thread.
  init(_ configuration: PostgreSQLConfiguration, migrations: [Migration]) throws(StorageError) {
    try configuration.requireReadable()
    try PostgreSQLMigrator.migrate(configuration, migrations)
    serialWriter = try PostgreSQLWriter(configuration, isSerial: true)
    freeWriter = try PostgreSQLWriter(configuration, isSerial: false)
    readers = try PostgreSQLReaders(configuration)
  }

  func write<Value: Sendable>(
    _ order: WriteOrder, _ body: @escaping @Sendable (any SQLWrite) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value {
    switch order {
    case .serial: try await serialWriter.queue.perform(body)
    case .free(let row): try await freeWriter.queue.perform(row: row, body)
    }
  }

  func read<Value: Sendable>(
    snapshot: Bool, _ body: @escaping @Sendable (any SQLTransaction) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value {
    guard snapshot else { return try await readers.queue.perform(body) }
    return try await readers.queue.perform { (transaction: any SQLTransaction) throws(StorageError) in
      try transaction.run(SQLStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"))
      do throws(StorageError) {
        let value = try body(transaction)
        _ = try transaction.rows(SQLStatement("COMMIT"))
        return value
      } catch {
        _ = try? transaction.rows(SQLStatement("ROLLBACK"))
        throw error
      }
    }
  }

  /// The server's files are its administrator's.
  func scrub() async {}

  /// The server vacuums by itself.
  func reclaim() async {}

  func holds(_ column: String, _ parameter: String) -> String { "position(\(parameter)::bytea in \(column)) > 0" }

  func close() async {
    let queues = [serialWriter.queue, freeWriter.queue]
    queues.forEach { (queue) in queue.close() }
    readers.queue.close()
    _ = try? await WorkerThread.run { [readers] () throws(StorageError) in
      queues.forEach { (queue) in queue.waitForWorkers() }
      readers.queue.waitForWorkers()
    }
  }
}
