// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

/// Connections for whoever looks for a few rows by their keys, in a thread of their own choice.
///
/// That takes some microseconds, less than to hand it to another thread and to be woken by that: nobody waits for a
/// connection here, and no connection waits for another program.
final class SQLiteFinders: Sendable {
  private struct State {
    var idle: [SQLiteConnection]
    var lentCount = 0
  }

  private let state: Monitor<State>

  init(_ connections: [SQLiteConnection]) {
    state = Monitor(State(idle: connections))
  }

  /// What `body` finds; nil where no connection is idle, or one would have to wait.
  func find<Value>(_ body: (any SQLTransaction) throws(StorageError) -> Value) throws(StorageError) -> Value? {
    guard let connection = lend() else { return nil }
    defer { giveBack(connection) }
    do throws(StorageError) {
      return try body(SQLiteTransaction(connection))
    } catch {
      guard error.code == .contended else { throw error }
      return nil
    }
  }

  private func lend() -> SQLiteConnection? {
    state.withLock { (state) in
      guard let connection = state.idle.popLast() else { return nil }
      state.lentCount += 1
      return connection
    }
  }

  private func giveBack(_ connection: SQLiteConnection) {
    state.withLock { (state) in
      state.lentCount -= 1
      state.idle.append(connection)
    }
  }

  /// Waits, in the caller's thread, until nobody has a connection, and lets them go.
  func close() {
    state.wait { (state) -> Void? in
      guard state.lentCount == 0 else { return nil }
      state.idle = []
      return ()
    }
  }
}
