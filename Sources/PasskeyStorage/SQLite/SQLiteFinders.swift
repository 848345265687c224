// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import SystemIO

/// Connections for whoever looks for a few rows by their keys, in a thread of their own choice.
///
/// That takes some microseconds, less than to hand it to another thread and to be woken by that: nobody waits for a
/// connection here, and no connection waits for another program.
///
/// The first choice is the writer's own, while nobody writes: a connection forgets all pages that it has read whenever
/// another has committed, and the writer's has nobody else's commits to hear of.
final class SQLiteFinders: Sendable {
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

  /// What `body` finds; nil where no connection is idle, or one would have to wait.
  func find<Value>(_ body: (any SQLTransaction) throws(StorageError) -> Value) throws(StorageError) -> Value? {
    guard begin() else { return nil }
    defer { end() }
    do throws(StorageError) {
      let value = try writing.read { (connection) throws(StorageError) in try body(SQLiteTransaction(connection)) }
      if let value { return value }
      return try findApart(body)
    } catch {
      guard error.code == .contended else { throw error }
      return nil
    }
  }

  private func findApart<Value>(
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

  /// Waits, in the caller's thread, until nobody has a connection, and lets them go.
  func close() {
    state.update { (state) in state.isClosed = true }
    state.wait { (state) -> Void? in
      guard state.findingCount == 0 else { return nil }
      state.idle = []
      return ()
    }
  }
}
