// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyPostgreSQL
internal import PasskeyStorage

/// The failure of a statement or a connection, and the possible remedy.
struct PostgreSQLFailure: Error {
  let error: StorageError

  /// The remedy for a failure before the commit.
  let remedy: Remedy

  /// Whether the server reported the failure for a statement before the last one of its exchange. The last statement
  /// has then not run.
  var isBeforeLast = false

  /// Whether the server, not the connection, reported the failure.
  private(set) var isOfServer = false

  enum Remedy {
    /// No remedy: a retry would fail too.
    case none
    /// Retry the transaction.
    case retry
    /// Retry the transaction on a new connection.
    case reconnect
  }

  init(_ error: StorageError, _ remedy: Remedy) {
    self.error = error
    self.remedy = remedy
  }

  static func lost(_ detail: String) -> PostgreSQLFailure {
    PostgreSQLFailure(StorageError(.unavailable, detail), .reconnect)
  }

  /// Creates a failure from the SQLSTATE and message of the server. Pass only the first line of the message: the
  /// details after it may contain row values.
  init(state: String, message: String) {
    let words = message.isEmpty ? state : "\(message) (\(state))"
    let (code, remedy) = Self.classify(state)
    self.init(StorageError(code, words), remedy)
    isOfServer = true
  }

  private static func classify(_ state: String) -> (StorageError.Code, Remedy) {
    switch state {
    case "40001", "40P01": (.contended, .retry)  // serialization failure, deadlock
    case "25006": (.readOnly, .reconnect)  // the server became a standby or read-only
    case "57014", "25P03": (.timedOut, .none)
    case "55P03": (.contended, .none)
    case "53100": (.full, .none)
    case "53200": (.unavailable, .retry)  // out of memory
    case "53300", "57P01", "57P02", "57P03", "57P05": (.unavailable, .reconnect)
    case "26000": (.unavailable, .reconnect)  // a pooler deallocated the prepared statement
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
