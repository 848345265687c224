// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyService
@testable import PasskeySQLite
@testable import PasskeyStorage

@Suite struct SQLiteReclaimTests {
  private func size(of path: String) -> Int {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : -1
  }

  /// Fills a file with codes for long addresses that expire immediately.
  private func fill(_ storage: DatabaseStorage, count: Int) async throws {
    let statements = try (0..<count).map { (_) in
      SQLStatement(
        """
        INSERT INTO codes (digest, purpose, email, roles, created, expiry)
        VALUES ($1, 'invitation', $2, $3, $4, $4)
        """,
        [
          .bytes(try Sample.bytes(32)[...]), .text(String(repeating: "7", count: 10_000)), .bytes([0x80]),
          .time(Sample.start),
        ])
    }
    try await storage.database.write(.serial) { (transaction) throws(StorageError) in try transaction.run(statements) }
  }

  private func sweep(_ storage: DatabaseStorage) async throws {
    while try await storage.sweep(SweepBounds(time: Sample.time(1)), limit: 500) > 0 {}
  }

  @Test func `a file shrinks after a sweep`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/passkey.db"
    let storage = try await SQLiteStorage.open(path)
    try await fill(storage, count: 2_000)
    try await sweep(storage)
    await storage.close()
    #expect(size(of: path) < 4 << 20)
    let again = try await SQLiteStorage.open(path)
    try await sweep(again)
    await again.close()
    #expect(size(of: path) < 3 << 20)
  }

  /// Creates the schema without the settings of a new file, as the restoration of a dump does.
  private static func create(_ connection: SQLiteConnection) throws {
    for statement in Schema.current.statements { try connection.execute(statement) }
    for row in Schema.current.rows { _ = try connection.rows(row.text, row.values) }
    try connection.execute(
      "PRAGMA application_id = \(SQLiteSchema.applicationID); PRAGMA user_version = \(Schema.current.version)")
  }

  @Test func `a file without auto-vacuum is rewritten once and keeps its content`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/passkey.db"
    let person = try SampleUser()
    do {
      let connection = try SQLiteConnection(path, for: .writing, busyTimeout: .zero)
      try connection.execute("PRAGMA auto_vacuum = NONE; PRAGMA journal_mode = WAL")
      try Self.create(connection)
      let insertion = person.account.insertion
      _ = try connection.rows(insertion.text, insertion.values)
      #expect(try connection.integer("PRAGMA auto_vacuum") == 0)
    }
    let storage = try await SQLiteStorage.open(path)
    #expect(try await storage.account(person.account.handle) == person.account)
    await storage.close()
    let connection = try SQLiteConnection(path, for: .reading, busyTimeout: .zero)
    #expect(try connection.integer("PRAGMA auto_vacuum") == 2)
    #expect(try connection.rows("PRAGMA integrity_check").first?.text(0) == "ok")
  }

  @Test func `a file with another reader can be opened`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/passkey.db"
    let other = try SQLiteConnection(path, for: .writing, busyTimeout: .zero)
    try other.execute("PRAGMA auto_vacuum = NONE; PRAGMA journal_mode = WAL")
    try Self.create(other)
    try other.execute("BEGIN; SELECT count(*) FROM accounts")
    let storage = try await SQLiteStorage.open(path, busyTimeout: .milliseconds(50))
    try await storage.database.check()
    await storage.close()
    try other.execute("COMMIT")
  }
}
