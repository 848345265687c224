// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

@testable import PasskeySQLite
@testable import PasskeyStorage

@Suite struct SQLTableNamesTests {
  @Test(arguments: [
    ("SELECT handle FROM accounts WHERE handle = $1", "SELECT handle FROM passkey_accounts WHERE handle = $1"),
    (
      "SELECT accounts.handle FROM sessions, accounts",
      "SELECT passkey_accounts.handle FROM passkey_sessions, passkey_accounts"
    ),
    (
      "CREATE UNIQUE INDEX sessions_user ON sessions(user_handle)",
      "CREATE UNIQUE INDEX passkey_sessions_user ON passkey_sessions(user_handle)"
    ),
    (
      "DELETE FROM codes WHERE email = 'codes' AND \"codes\" = x.codes",
      "DELETE FROM passkey_codes WHERE email = 'codes' AND \"codes\" = x.codes"
    ),
    ("SELECT 'it''s', codes FROM codes_old", "SELECT 'it''s', passkey_codes FROM codes_old"),
    ("PRAGMA wal_checkpoint(PASSIVE)", "PRAGMA wal_checkpoint(PASSIVE)"),
  ])
  func `names of tables and indexes get the prefix, and nothing else`(plain: String, prefixed: String) {
    #expect(SQLTableNames.prefixed.translated(plain) == prefixed)
    #expect(SQLTableNames.plain.translated(plain) == plain)
  }

  @Test func `no column has the name of a table or an index`() async throws {
    let folder = try TemporaryFolder()
    await (try SQLiteStorage.open(folder.path + "/file")).close()
    let connection = try SQLiteConnection(folder.path + "/file", for: .reading, busyTimeout: .zero)
    let rows = try connection.rows(
      "SELECT DISTINCT c.name FROM sqlite_schema AS s, pragma_table_info(s.name) AS c WHERE s.type = 'table'")
    let columns = try rows.map { (row) in try row.text(0) }
    #expect(columns.count > 20)
    #expect(columns.filter { SQLTableNames.prefixed.names.contains($0[...]) } == [])
  }

  @Test func `every table and index gets the prefix`() async throws {
    let folder = try TemporaryFolder()
    await (try SQLiteStorage.open(folder.path + "/file", owner: .embeddingServer)).close()
    let connection = try SQLiteConnection(folder.path + "/file", for: .reading, busyTimeout: .zero)
    let rows = try connection.rows("SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
    #expect(rows.count > 20)
    #expect(try rows.filter { (row) in try !row.text(0).hasPrefix("passkey_") } == [])
  }
}
