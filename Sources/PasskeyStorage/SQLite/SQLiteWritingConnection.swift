// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import SystemIO

/// The connection that writes, on which others may read for some microseconds while nobody writes.
///
/// The writer waits for one of them at the most: who comes while it waits is sent away.
final class SQLiteWritingConnection: Sendable {
  private struct State {
    var connection: SQLiteConnection?
    var isLent = false
    var isWanted = false
  }

  private let state: Locked<State>
  private let busyTimeout: Duration

  /// Takes a connection that nobody else has, and how long its writes wait for other programs.
  init(_ connection: SQLiteConnection, busyTimeout: Duration) {
    state = Locked(State(connection: connection))
    self.busyTimeout = busyTimeout
  }

  /// Writes on it, in the writer's own thread.
  func write(_ body: (SQLiteConnection) -> Void) {
    state.withLock { (state) in state.isWanted = true }
    let connection = state.wait { (state) -> SQLiteConnection?? in state.isLent ? nil : .some(state.connection) }
    if let connection { body(connection) }
    state.withLock { (state) in state.isWanted = false }
  }

  /// Reads on it, without waiting for anybody; nil where the writer has it, or somebody else.
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

  /// Whether the writer has it, or waits for it.
  var isWanted: Bool { state.withLock { (state) in state.isWanted } }

  /// Lets the connection go, in the writer's own thread.
  func close() {
    state.wait { (state) -> Void? in
      guard !state.isLent else { return nil }
      state.connection = nil
      return ()
    }
  }
}
