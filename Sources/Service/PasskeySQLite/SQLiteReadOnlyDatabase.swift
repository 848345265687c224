// SPDX-License-Identifier: Apache-2.0

internal import PasskeyStorage

/// A database file that is only read: every write is refused.
final class SQLiteReadOnlyDatabase: SQLDatabase {
  private let readers: SQLiteReaders

  /// Opens the file. Blocks the calling thread.
  ///
  /// - Throws: `storage.schema-older` for an empty file, or a code of ``SQLiteStorage/open(_:owner:readerCount:busyTimeout:embedded:)``.
  init(_ path: String, busyTimeout: Duration) throws(StorageError) {
    let owner = try SQLiteSchema.owner(of: SQLiteConnection(path, for: .reading, busyTimeout: busyTimeout))
    let file = SQLiteFile(path: path, owner: owner)
    let connection = try file.connection(for: .reading, busyTimeout: busyTimeout)
    try SQLiteSchema.require(connection, owner: owner)
    readers = try SQLiteReaders([connection])
  }

  func write<Value: Sendable>(
    _ order: WriteOrder, _ body: @escaping @Sendable (any SQLWrite) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value {
    throw Self.refusal
  }

  func check() async throws(StorageError) { throw Self.refusal }

  private static let refusal = StorageError(.readOnly, "the database was opened for reading")

  func read<Value: Sendable>(
    snapshot: Bool, _ body: @escaping @Sendable (any SQLTransaction) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value {
    try await readers.queue.perform(body)
  }

  func find<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value {
    try await read(body)
  }

  func scrub() async {}

  func reclaim() async {}

  /// Throws: only the server that writes a file needs its place.
  func place(_ transaction: any SQLTransaction) throws(StorageError) -> [UInt8] { throw Self.refusal }

  var dialect: SQLDialect { .sqlite }

  func close() async {
    readers.queue.close()
    _ = try? await WorkerThread.run { [readers] () throws(StorageError) in readers.queue.waitForWorkers() }
  }
}
