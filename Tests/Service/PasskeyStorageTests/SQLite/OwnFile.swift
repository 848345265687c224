// SPDX-License-Identifier: Apache-2.0

import CPasskeySQLite
import PasskeyService

/// A connection of an embedding server to its own SQLite file, with SQLite's default settings.
@safe final class OwnFile: @unchecked Sendable {  // Used by one thread at a time.
  private let pointer: OpaquePointer

  /// Opens or creates the file.
  init(_ path: String) throws {
    var opened: OpaquePointer?
    let status = unsafe sqlite3_open(path, &opened)
    guard let opened = unsafe opened, status == SQLITE_OK else { throw StorageError(.unavailable, path) }
    unsafe pointer = opened
    unsafe sqlite3_busy_timeout(pointer, 600_000)
    try run("PRAGMA foreign_keys = ON")
  }

  deinit {
    unsafe sqlite3_close_v2(pointer)
  }

  /// Runs statements.
  func run(_ script: String) throws {
    let status = unsafe sqlite3_exec(pointer, script, nil, nil, nil)
    guard status == SQLITE_OK else {
      throw StorageError(
        status == SQLITE_CONSTRAINT ? .conflict : .failed, unsafe String(cString: sqlite3_errmsg(pointer)))
    }
  }

  /// Runs a statement and returns the first value as text; nil without a row.
  func value(_ statement: String) throws -> String? {
    var prepared: OpaquePointer?
    guard unsafe sqlite3_prepare_v2(pointer, statement, -1, &prepared, nil) == SQLITE_OK else {
      throw StorageError(.failed, unsafe String(cString: sqlite3_errmsg(pointer)))
    }
    defer { unsafe sqlite3_finalize(prepared) }
    guard unsafe sqlite3_step(prepared) == SQLITE_ROW, let text = unsafe sqlite3_column_text(prepared, 0) else {
      return nil
    }
    return unsafe String(cString: text)
  }
}
