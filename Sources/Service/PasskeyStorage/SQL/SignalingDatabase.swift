// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

/// A database that gives a signal after each commit that wrote notices.
final class SignalingDatabase: SQLDatabase {
  let signal = OutboxSignal()
  private let database: any SQLDatabase

  init(_ database: any SQLDatabase) {
    self.database = database
  }

  func write<Value: Sendable>(
    _ order: WriteOrder, _ body: @escaping @Sendable (any SQLWrite) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value {
    let (value, writesNotices) = try await database.write(order) { (transaction) throws(StorageError) in
      transaction.writesNotices = false
      return (try body(transaction), transaction.writesNotices)
    }
    if writesNotices { signal.give() }
    return value
  }

  func write(_ order: WriteOrder, closed statements: [SQLStatement]) async throws(StorageError) -> [[SQLRow]] {
    try await database.write(order, closed: statements)
  }

  func check() async throws(StorageError) { try await database.check() }

  func read<Value: Sendable>(
    snapshot: Bool, _ body: @escaping @Sendable (any SQLTransaction) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value {
    try await database.read(snapshot: snapshot, body)
  }

  func find<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value {
    try await database.find(body)
  }

  func scrub() async { await database.scrub() }

  func reclaim() async { await database.reclaim() }

  func place(_ transaction: any SQLTransaction) throws(StorageError) -> [UInt8] { try database.place(transaction) }

  var dialect: SQLDialect { database.dialect }

  func close() async { await database.close() }
}
