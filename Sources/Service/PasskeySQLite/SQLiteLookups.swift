// SPDX-License-Identifier: Apache-2.0

internal import PasskeySystem
internal import PasskeyStorage

/// Connections for lookups of a few rows by key, on the calling thread.
///
/// A lookup takes a few microseconds, less than a switch to another thread and back. It waits neither for a connection
/// nor for a lock held by another program.
///
/// The writer's connection is preferred while it is idle. A connection discards its page cache whenever another
/// connection has committed, and the writer's own commits do not invalidate its cache.
final class SQLiteLookups: Sendable {
  private struct State {
    var idle: [SQLiteConnection]
    var findingCount = 0
    var isClosed = false
  }

  private let state: Locked<State>
  private let writing: SQLiteWritingConnection

  init(_ connections: [SQLiteConnection], writing: SQLiteWritingConnection) {
    state = Locked(State(idle: connections))
    self.writing = writing
  }

  /// Returns the result of `body`, or nil if no connection is idle or the database is locked.
  func find<Value>(_ body: (any SQLTransaction) throws(StorageError) -> Value) throws(StorageError) -> Value? {
    guard begin() else { return nil }
    defer { end() }
    do throws(StorageError) {
      let value = try writing.read { (connection) throws(StorageError) in try body(SQLiteTransaction(connection)) }
      if let value { return value }
      return try findOnIdleConnection(body)
    } catch {
      guard error.code == .contended else { throw error }
      return nil
    }
  }

  private func findOnIdleConnection<Value>(
    _ body: (any SQLTransaction) throws(StorageError) -> Value
  ) throws(StorageError) -> Value? {
    guard let connection = state.withLock({ (state) in state.idle.popLast() }) else { return nil }
    defer { state.update { (state) in state.idle.append(connection) } }
    return try body(SQLiteTransaction(connection))
  }

  private func begin() -> Bool {
    state.withLock { (state) in
      if !state.isClosed { state.findingCount += 1 }
      return !state.isClosed
    }
  }

  private func end() {
    state.update { (state) in state.findingCount -= 1 }
  }

  /// Waits, blocking the calling thread, until all lookups have finished. Then closes the connections.
  func close() {
    state.update { (state) in state.isClosed = true }
    state.wait { (state) -> Void? in
      guard state.findingCount == 0 else { return nil }
      state.idle = []
      return ()
    }
  }
}
