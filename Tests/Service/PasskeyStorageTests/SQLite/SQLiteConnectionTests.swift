// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

@testable import PasskeyService
@testable import PasskeySQLite
@testable import PasskeyStorage

@Suite struct SQLiteConnectionTests {
  private let folder: TemporaryFolder
  private let connection: SQLiteConnection

  init() throws {
    folder = try TemporaryFolder()
    connection = try SQLiteConnection(folder.path + "/file", for: .writing, busyTimeout: .zero)
  }

  @Test func `values survive a round trip`() throws {
    let values: [SQLValue] = [
      .null, .integer(0), .integer(-1), .integer(.min), .integer(.max), .text(""), .text("Ключ 🔑"), .text("a\0b"),
      .bytes([]), .bytes([0, 1, 0xff, 0]),
    ]
    #expect(
      try connection.rows("SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10", values) == [SQLRow(values: values)])
  }

  @Test func `parameters are bound by number, in any order and repeatedly`() throws {
    let rows = try connection.rows("SELECT $3, $1, $3, $2", [.integer(1), .integer(2), .integer(3)])
    #expect(rows == [SQLRow(values: [.integer(3), .integer(1), .integer(3), .integer(2)])])
    let error = #expect(throws: StorageError.self) { try connection.rows("SELECT $2", [.integer(1)]) }
    #expect(error == StorageError(.failed, "parameter 2 has no value"))
  }

  @Test func `a violated constraint is a conflict`() throws {
    try connection.execute("CREATE TABLE things (thing INTEGER PRIMARY KEY)")
    _ = try connection.rows("INSERT INTO things VALUES ($1)", [.integer(1)])
    let error = #expect(throws: StorageError.self) {
      try connection.rows("INSERT INTO things VALUES ($1)", [.integer(1)])
    }
    #expect(error?.code == .conflict)
  }

  @Test func `a reading connection cannot write`() throws {
    try connection.execute("CREATE TABLE things (thing INTEGER PRIMARY KEY)")
    let reading = try SQLiteConnection(folder.path + "/file", for: .reading, busyTimeout: .zero)
    let error = #expect(throws: StorageError.self) { try reading.execute("INSERT INTO things VALUES (1)") }
    #expect(error?.code == .readOnly)
  }

  @Test func `a blocked statement fails after its time limit`() throws {
    try connection.execute("BEGIN IMMEDIATE")
    let other = try SQLiteConnection(folder.path + "/file", for: .writing, busyTimeout: .milliseconds(50))
    // Without the limit it would wait for ever, because the other transaction does not end.
    let error = #expect(throws: StorageError.self) { try other.execute("BEGIN IMMEDIATE") }
    #expect(error?.code == .contended)
  }

  @Test func `a row with unexpected content is corrupt`() throws {
    let row = SQLRow(values: [.integer(1), .text("x"), .bytes([1]), .null])
    let code = StorageError.Code.corrupt
    #expect((#expect(throws: StorageError.self) { try row.bytes(0) })?.code == code)
    #expect((#expect(throws: StorageError.self) { try row.text(2) })?.code == code)
    #expect((#expect(throws: StorageError.self) { try row.integer(3) })?.code == code)
    #expect((#expect(throws: StorageError.self) { try row.integer(4) })?.code == code)
    #expect((#expect(throws: StorageError.self) { try row.fixed(2, TokenDigest.self) })?.code == code)
    #expect((#expect(throws: StorageError.self) { try row.name(1, Account.State.self) })?.code == code)
    #expect(try row.integer(0) == 1 && row.isNull(3))
  }
}
