// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyPostgreSQL
internal import PasskeyFormats
internal import PasskeyStorage

/// A libpq result with binary values.
@safe final class PostgreSQLResult {
  private let pointer: OpaquePointer

  @safe init(owning pointer: OpaquePointer) {
    unsafe self.pointer = pointer
  }

  deinit {
    unsafe PQclear(pointer)
  }

  var status: ExecStatusType { unsafe PQresultStatus(pointer) }

  var isSuccess: Bool { status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK }

  /// The command tag, for example `COMMIT`.
  var command: String {
    guard let text = unsafe PQcmdStatus(pointer) else { return "" }
    return unsafe String(cString: text)
  }

  /// The error reported by the server or by libpq.
  var failure: PostgreSQLFailure {
    let state = field(passkey_postgresql_state)
    let message = field(passkey_postgresql_message)
    // Without an SQLSTATE the message is libpq's: the connection is lost.
    return state.isEmpty
      ? .lost(message.isEmpty ? "the connection to the database was lost" : message)
      : PostgreSQLFailure(state: state, message: message)
  }

  private func field(_ code: Int32) -> String {
    guard let text = unsafe PQresultErrorField(pointer, code) else { return "" }
    return unsafe String(cString: text)
  }

  func rows() throws(StorageError) -> [SQLRow] {
    let columns = unsafe PQnfields(pointer)
    var rows: [SQLRow] = []
    let count = unsafe PQntuples(pointer)
    for row in 0..<count {
      var values: [SQLValue] = []
      values.reserveCapacity(Int(columns))
      for column in 0..<columns { values.append(try value(row, column)) }
      rows.append(SQLRow(values: values))
    }
    return rows
  }

  private func value(_ row: Int32, _ column: Int32) throws(StorageError) -> SQLValue {
    if unsafe PQgetisnull(pointer, row, column) == 1 { return .null }
    guard let start = unsafe PQgetvalue(pointer, row, column) else { return .null }
    let count = Int(unsafe PQgetlength(pointer, row, column))
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
    switch unsafe PQftype(pointer, column) {
    case 17: return .bytes(unsafe [UInt8](bytes)[...])  // bytea
    case 25, 1043, 19: return .text(unsafe String(decoding: bytes, as: UTF8.self))  // text, varchar, name
    case 16: return .integer(unsafe bytes.contains { (byte) in byte != 0 } ? 1 : 0)  // bool
    case 20, 21, 23:  // int8, int2, int4, big-endian
      return .integer(unsafe Self.integer([UInt8](bytes)))
    case 2278: return .null  // void
    case let type: throw StorageError(.failed, "a column of type \(type)")
    }
  }

  private static func integer(_ bytes: [UInt8]) -> Int64 {
    bytes.reduce(bytes.first ?? 0 < 0x80 ? 0 : -1) { (number, byte) in number << 8 | Int64(byte) }
  }
}
