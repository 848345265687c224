// SPDX-License-Identifier: Apache-2.0

internal import CPostgreSQL
internal import PasskeyService

/// Why a statement or a connection of PostgreSQL failed, and what can be done about it.
struct PostgreSQLFailure: Error {
  let error: StorageError

  /// What can be done about a failure before anything was committed.
  let remedy: Remedy

  /// Whether the server said so of a statement before the last of its exchange: the last one has then not been run.
  var isBeforeLast = false

  /// Whether the server said so, and not the line.
  private(set) var isOfServer = false

  enum Remedy {
    /// Nothing: it would fail again.
    case none
    /// The same transaction again.
    case again
    /// The same transaction over another connection.
    case reconnect
  }

  init(_ error: StorageError, _ remedy: Remedy) {
    self.error = error
    self.remedy = remedy
  }

  static func lost(_ detail: String) -> PostgreSQLFailure {
    PostgreSQLFailure(StorageError(.unavailable, detail), .reconnect)
  }

  /// The failure for what the server says, by the five characters of its SQLSTATE. Only the first line is kept: the
  /// details that may follow it can have values in them.
  init(state: String, message: String) {
    let words = message.isEmpty ? state : "\(message) (\(state))"
    let (code, remedy) = Self.meaning(of: state)
    self.init(StorageError(code, words), remedy)
    isOfServer = true
  }

  private static func meaning(of state: String) -> (StorageError.Code, Remedy) {
    switch state {
    case "40001", "40P01": (.contended, .again)  // serialization failure, deadlock
    case "25006": (.readOnly, .reconnect)  // the server is a standby by now, or was made to be read only
    case "57014", "25P03": (.timedOut, .none)
    case "55P03": (.contended, .none)
    case "53100": (.full, .none)
    case "53200": (.unavailable, .again)  // out of memory
    case "53300", "57P01", "57P02", "57P03", "57P05": (.unavailable, .reconnect)
    case "26000": (.unavailable, .reconnect)  // a prepared statement that another hand took away
    case "42501", "28000", "28P01": (.unavailable, .none)
    case "3D000": (.unavailable, .none)
    case "XX001", "XX002": (.corrupt, .none)
    default:
      switch state.prefix(2) {
      case "08": (.unavailable, .reconnect)
      case "23": (.conflict, .none)
      case "58": (.unavailable, .none)
      default: (.failed, .none)
      }
    }
  }
}
