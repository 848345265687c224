// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The database behind the stand-ins of PostgresNIO and SQLKit: SQLite, which shares the SQL of their pages with PostgreSQL.

internal import CPasskeySQLite
internal import Synchronization

public enum RowValue: Equatable, Sendable {
  case null
  case integer(Int64)
  case text(String)
  case bytes([UInt8])
}

public struct RowStoreError: Error {
  public let message: String
}

/// A database in memory. Statements run one after another.
@safe public final class RowStore: @unchecked Sendable {
  private let connection: OpaquePointer?
  private let lock = Mutex(())

  public init() {
    var opened: OpaquePointer?
    unsafe sqlite3_open(":memory:", &opened)
    unsafe connection = opened
  }

  deinit {
    unsafe sqlite3_close_v2(connection)
  }

  /// Runs a statement with the parameters `$1`, `$2` and so on, and returns its rows.
  public func rows(_ text: String, _ values: [RowValue]) throws -> [[(column: String, value: RowValue)]] {
    try lock.withLock { (_) in
      var statement: OpaquePointer?
      defer { unsafe sqlite3_finalize(statement) }
      guard unsafe sqlite3_prepare_v2(connection, text, -1, &statement, nil) == SQLITE_OK else { throw failure }
      for (index, value) in values.enumerated() {
        let position = Int32(index + 1)
        switch value {
        case .null: unsafe sqlite3_bind_null(statement, position)
        case .integer(let number): unsafe sqlite3_bind_int64(statement, position, number)
        case .text(let text): unsafe passkey_sqlite_bind_text(statement, position, text, Int32(text.utf8.count))
        case .bytes(let bytes): unsafe passkey_sqlite_bind_blob(statement, position, bytes, Int32(bytes.count))
        }
      }
      var rows: [[(column: String, value: RowValue)]] = []
      while true {
        switch unsafe sqlite3_step(statement) {
        case SQLITE_ROW:
          rows.append(
            (0..<(unsafe sqlite3_column_count(statement))).map { (column) in
              let name = unsafe String(cString: sqlite3_column_name(statement, column))
              return (name, unsafe value(statement, column))
            })
        case SQLITE_DONE: return rows
        default: throw failure
        }
      }
    }
  }

  private func value(_ statement: OpaquePointer?, _ column: Int32) -> RowValue {
    switch unsafe sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: .integer(unsafe sqlite3_column_int64(statement, column))
    case SQLITE_TEXT: .text(unsafe String(cString: sqlite3_column_text(statement, column)))
    case SQLITE_BLOB:
      .bytes(
        unsafe [UInt8](
          UnsafeRawBufferPointer(
            start: sqlite3_column_blob(statement, column), count: Int(sqlite3_column_bytes(statement, column)))))
    default: .null
    }
  }

  private var failure: RowStoreError { RowStoreError(message: unsafe String(cString: sqlite3_errmsg(connection))) }
}
