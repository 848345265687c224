// SPDX-License-Identifier: Apache-2.0

internal import PasskeySystem
internal import PasskeyStorage

/// The write connection, which other threads may use for short reads while the writer is idle.
///
/// The writer waits for at most one read. A read that starts while the writer waits is refused.
final class SQLiteWritingConnection: Sendable {
  private struct State {
    var connection: SQLiteConnection?
    var isLent = false
    var isWanted = false
  }

  private let state: Locked<State>
  private let busyTimeout: Duration

  /// Takes exclusive ownership of a connection. `busyTimeout` is how long its writes wait for other programs' locks.
  init(_ connection: SQLiteConnection, busyTimeout: Duration) {
    state = Locked(State(connection: connection))
    self.busyTimeout = busyTimeout
  }

  /// Runs a write, on the writer's thread.
  func write(_ body: (SQLiteConnection) -> Void) {
    state.withLock { (state) in state.isWanted = true }
    let connection = state.wait { (state) -> SQLiteConnection?? in state.isLent ? nil : .some(state.connection) }
    if let connection { body(connection) }
    state.withLock { (state) in state.isWanted = false }
  }

  /// Runs a read without waiting. Returns nil if the connection is in use or the writer is waiting for it.
  func read<Value>(
    _ body: (SQLiteConnection) throws(StorageError) -> Value
  ) throws(StorageError) -> Value? {
    let lent = state.withLock { (state) -> SQLiteConnection? in
      guard !state.isWanted, !state.isLent, let connection = state.connection else { return nil }
      state.isLent = true
      return connection
    }
    guard let lent else { return nil }
    lent.wait(for: .zero)
    defer {
      lent.wait(for: busyTimeout)
      state.update { (state) in state.isLent = false }
    }
    return try body(lent)
  }

  /// Whether the writer uses the connection or waits for it.
  var isWanted: Bool { state.withLock { (state) in state.isWanted } }

  /// Closes the connection, on the writer's thread. With `keepingLog`, the database file gets nothing from the log.
  func close(keepingLog: Bool = false) {
    state.wait { (state) -> Void? in
      guard !state.isLent else { return nil }
      if keepingLog { state.connection?.keepLogOnClose() }
      state.connection = nil
      return ()
    }
  }
}
