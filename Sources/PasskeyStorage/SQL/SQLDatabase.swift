// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

/// A database with the migrations applied, as the storage's verbs use it.
protocol SQLDatabase: Sendable {
  /// Writes, as durably as the order says. Writes that come at the same time share one commit.
  func write<Value: Sendable>(
    _ order: WriteOrder, _ body: @escaping @Sendable (any SQLWrite) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value

  /// Reads. With `snapshot`, all statements of the body see one state of the database.
  func read<Value: Sendable>(
    snapshot: Bool, _ body: @escaping @Sendable (any SQLTransaction) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value

  /// Finds a few rows by their keys, with one statement; where nobody has to be waited for, in the caller's thread.
  func find<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value

  /// Leaves nothing of what was deleted in the database's own files, as far as that is ours to do, where it was noted that
  /// this is due (``SQLStatement/scrubbing``). What cannot be done now stays due.
  func scrub() async

  /// Gives free space back to the system, a part of it at a time.
  func reclaim() async

  /// A condition, in the database's own words: that the bytes in a column have those of a parameter in them.
  func holds(_ column: String, _ parameter: String) -> String

  /// Ends what is waiting, and lets the database go.
  func close() async
}

extension SQLDatabase {
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value {
    try await read(snapshot: false, body)
  }

  func find<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value {
    try await read(body)
  }
}
