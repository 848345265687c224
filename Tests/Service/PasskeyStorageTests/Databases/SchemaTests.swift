// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import PasskeyTestSupport
import Testing

@testable import PasskeySQLite
@testable import PasskeyStorage

@Suite struct SchemaTests {
  @Test func `PostgreSQL gets its own type names, and other text is unchanged`() {
    let schema = Schema(
      version: 1,
      statements: [
        "CREATE TABLE things (\n  thing BLOB NOT NULL, number INTEGER, BLOBS INTEGER)\n  WITHOUT ROWID",
        "CREATE INDEX things_number ON things (number)",
      ], postgreSQL: ["CREATE SEQUENCE numbers"], rows: [])
    #expect(
      schema.postgreSQLStatements == [
        "CREATE TABLE things (\n  thing bytea NOT NULL, number bigint, BLOBS bigint)",
        "CREATE INDEX things_number ON things (number)", "CREATE SEQUENCE numbers",
      ])
  }

  @Test func `a schema that cannot be created leaves the file empty`() throws {
    let folder = try TemporaryFolder()
    let connection = try SQLiteConnection(folder.path + "/file", for: .writing, busyTimeout: .zero)
    let broken = Schema(version: 1, statements: ["CREATE TABLE two (a INTEGER)", "nonsense"], rows: [])
    let error = #expect(throws: StorageError.self) { try SQLiteSchema.prepare(connection, broken) }
    #expect(error?.code == .migrationFailed)
    #expect(try connection.integer("PRAGMA user_version") == 0)
    #expect(try connection.integer("SELECT count(*) FROM sqlite_schema") == 0)
    try SQLiteSchema.prepare(connection)
    #expect(try connection.integer("PRAGMA user_version") == Schema.current.version)
  }

  @Test func `the architecture lists every table`() throws {
    let page = String(decoding: try File.bytes("\(projectFolder)/Documentation/Architecture.md"), as: UTF8.self)
    let start = try #require(page.firstRange(of: "## The database")?.upperBound)
    let listed = page[start...].prefix(while: { $0 != "#" }).split(separator: "\n")
      .filter { $0.hasPrefix("| `") }.flatMap { (row) in
        (row.split(separator: "|").first ?? "").split(separator: ",").map { (cell) in
          String(cell.split(separator: "(").first ?? "").filter { $0.isLetter || $0 == "_" }
        }
      }
    let created = Schema.current.postgreSQLStatements.compactMap { (statement) in
      statement.hasPrefix("CREATE TABLE ") ? String(statement.split(separator: " ")[2]) : nil
    }
    #expect(Set(listed).isSuperset(of: created), "\(Set(created).subtracting(listed))")
  }
}
