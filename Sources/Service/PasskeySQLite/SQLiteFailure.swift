// SPDX-License-Identifier: Apache-2.0

internal import CPasskeySQLite
internal import PasskeyStorage

/// The mapping of SQLite's result codes to ``StorageError``.
enum SQLiteFailure {
  /// Returns the error for a result code, with the connection's message.
  static func error(_ status: Int32, on connection: OpaquePointer?) -> StorageError {
    var words = unsafe String(cString: sqlite3_errstr(status))
    if let connection = unsafe connection, let message = unsafe sqlite3_errmsg(connection) {
      words = unsafe String(cString: message)
    }
    return StorageError(code(status), words)
  }

  private static func code(_ status: Int32) -> StorageError.Code {
    switch status & 0xff {  // the primary code of an extended one
    case SQLITE_FULL: .full
    case SQLITE_READONLY: .readOnly
    case SQLITE_CORRUPT: .corrupt
    case SQLITE_NOTADB: .foreign
    case SQLITE_BUSY, SQLITE_LOCKED: .contended
    case SQLITE_CANTOPEN, SQLITE_IOERR: .unavailable
    case SQLITE_PERM, SQLITE_AUTH: .unavailable
    case SQLITE_CONSTRAINT: .conflict
    default: .failed
    }
  }
}
