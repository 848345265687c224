// SPDX-License-Identifier: Apache-2.0

internal import CPasskeySQLite
internal import PasskeyFormats
internal import PasskeyStorage

/// A prepared statement of one connection, used by one thread at a time.
@safe final class SQLiteStatement {
  private let pointer: OpaquePointer
  private let connection: OpaquePointer

  /// The index of the value for each SQLite parameter. SQLite numbers parameters by first appearance.
  private let valueIndices: [Int]

  @safe init(_ text: String, on connection: OpaquePointer) throws(StorageError) {
    var prepared: OpaquePointer?
    let status = unsafe sqlite3_prepare_v3(
      connection, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard status == SQLITE_OK, let prepared = unsafe prepared else {
      throw unsafe SQLiteFailure.error(status, on: connection)
    }
    let count = unsafe sqlite3_bind_parameter_count(prepared)
    valueIndices = (0..<count).map { (index) in
      guard let name = unsafe sqlite3_bind_parameter_name(prepared, index + 1) else { return -1 }
      return unsafe (Int(String(cString: name).dropFirst()) ?? 0) - 1
    }
    unsafe pointer = prepared
    unsafe self.connection = connection
  }

  deinit {
    unsafe sqlite3_finalize(pointer)
  }

  /// Runs the statement to completion and returns its rows.
  func rows(_ values: [SQLValue]) throws(StorageError) -> [SQLRow] {
    defer {
      unsafe sqlite3_reset(pointer)
      unsafe sqlite3_clear_bindings(pointer)
    }
    for (index, valueIndex) in valueIndices.enumerated() {
      guard values.indices.contains(valueIndex) else {
        throw StorageError(.failed, "parameter \(valueIndex + 1) has no value")
      }
      try bind(values[valueIndex], at: Int32(clamping: index + 1))
    }
    var rows: [SQLRow] = []
    while true {
      switch unsafe sqlite3_step(pointer) {
      case SQLITE_ROW: rows.append(row())
      case SQLITE_DONE: return rows
      case let status: throw unsafe SQLiteFailure.error(status, on: connection)
      }
    }
  }

  private func bind(_ value: SQLValue, at index: Int32) throws(StorageError) {
    let status =
      switch value {
      case .null: unsafe sqlite3_bind_null(pointer, index)
      case .integer(let integer): unsafe sqlite3_bind_int64(pointer, index, integer)
      case .text(var text):
        text.withUTF8 { (text) in
          unsafe text.withMemoryRebound(to: CChar.self) { (text) in
            unsafe passkey_sqlite_bind_text(pointer, index, text.baseAddress, Int32(clamping: text.count))
          }
        }
      case .bytes(let bytes):
        unsafe bytes.withUnsafeBytes { (bytes) in
          // SQLite binds a null pointer as NULL, which differs from an empty blob.
          if let start = bytes.baseAddress, unsafe !bytes.isEmpty {
            unsafe passkey_sqlite_bind_blob(pointer, index, start, Int32(clamping: bytes.count))
          } else {
            unsafe sqlite3_bind_zeroblob(pointer, index, 0)
          }
        }
      }
    guard status == SQLITE_OK else { throw unsafe SQLiteFailure.error(status, on: connection) }
  }

  private func row() -> SQLRow {
    let count = unsafe sqlite3_column_count(pointer)
    return SQLRow(values: (0..<count).map(value))
  }

  private func value(_ column: Int32) -> SQLValue {
    switch unsafe sqlite3_column_type(pointer, column) {
    case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(pointer, column))
    case SQLITE_TEXT:
      guard let start = unsafe sqlite3_column_text(pointer, column) else { return .null }
      let count = Int(unsafe sqlite3_column_bytes(pointer, column))
      return .text(unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
    case SQLITE_BLOB:
      guard let start = unsafe sqlite3_column_blob(pointer, column) else { return .bytes([]) }
      let count = Int(unsafe sqlite3_column_bytes(pointer, column))
      return .bytes(unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))[...])
    default: return .null
    }
  }
}
