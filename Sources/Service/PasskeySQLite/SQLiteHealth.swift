// SPDX-License-Identifier: Apache-2.0

internal import PasskeySystem
internal import PasskeyStorage

/// A memory of errors that concern a database as a whole, from all its connections.
final class SQLiteHealth: Sendable {
  private struct State {
    var corruption: StorageError?
    var isFull = false
  }

  private let state = Locked(State())

  /// The first page that SQLite could not read. A write may succeed although others cannot be read.
  var corruption: StorageError? { state.withLock { (state) in state.corruption } }

  /// Whether a write failed for lack of space. A smaller one may succeed.
  var isFull: Bool { state.withLock { (state) in state.isFull } }

  /// Remembers an error of SQLite.
  func note(_ error: StorageError) {
    switch error.code {
    case .corrupt, .foreign:
      state.withLock { (state) in
        state.corruption =
          state.corruption ?? StorageError(.corrupt, "\(error.detail): stop the server and restore a backup")
      }
    case .full: state.withLock { (state) in state.isFull = true }
    default: break
    }
  }

  /// Forgets that the disk was full.
  func endFull() { state.withLock { (state) in state.isFull = false } }
}
