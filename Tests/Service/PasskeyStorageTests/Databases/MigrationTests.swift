// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

@testable import PasskeyStorage

@Suite struct MigrationTests {
  @Test func `PostgreSQL gets its own type names, and other text is unchanged`() {
    let migration = Migration(
      purpose: "a test",
      statements: [
        "CREATE TABLE things (\n  thing BLOB NOT NULL, number INTEGER, BLOBS INTEGER) WITHOUT ROWID",
        "CREATE INDEX things_number ON things (number)",
      ], rows: [])
    #expect(
      migration.postgreSQLStatements == [
        "CREATE TABLE things (\n  thing bytea NOT NULL, number bigint, BLOBS bigint)",
        "CREATE INDEX things_number ON things (number)",
      ])
  }

  @Test func `a file gets only its missing migrations`() throws {
    let folder = try TemporaryFolder()
    let first = Migration(purpose: "first", statements: ["CREATE TABLE one (a INTEGER)"], rows: [])
    let second = Migration(
      purpose: "second", statements: ["ALTER TABLE one ADD COLUMN b INTEGER"],
      rows: [SQLStatement("INSERT INTO one (a, b) VALUES ($1, $2)", [.integer(1), .integer(2)])])
    let connection = try SQLiteConnection(folder.path + "/file", for: .writing, busyTimeout: .zero)
    try SQLiteMigrator.migrate(connection, [first])
    #expect(try connection.integer("PRAGMA user_version") == 1)
    for _ in 0..<2 { try SQLiteMigrator.migrate(connection, [first, second]) }
    #expect(try connection.integer("PRAGMA user_version") == 2)
    #expect(try connection.rows("SELECT a, b FROM one") == [SQLRow(values: [.integer(1), .integer(2)])])
  }

  @Test func `a failed migration leaves the file unchanged`() throws {
    let folder = try TemporaryFolder()
    let connection = try SQLiteConnection(folder.path + "/file", for: .writing, busyTimeout: .zero)
    let first = Migration(purpose: "first", statements: ["CREATE TABLE one (a INTEGER)"], rows: [])
    let broken = Migration(purpose: "broken", statements: ["CREATE TABLE two (a INTEGER)", "nonsense"], rows: [])
    try SQLiteMigrator.migrate(connection, [first])
    let error = #expect(throws: StorageError.self) { try SQLiteMigrator.migrate(connection, [first, broken]) }
    #expect(error?.code == .migrationFailed)
    #expect(try connection.integer("PRAGMA user_version") == 1)
    #expect(try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'two'") == 0)
  }

  @Test func `accounts without user names keep their addresses, roles and devices`() async throws {
    let folder = try TemporaryFolder()
    let person = try SampleUser(administering: true)
    let device = try device(of: person.account)
    do {
      let connection = try SQLiteConnection(folder.path + "/file", for: .writing, busyTimeout: .zero)
      try SQLiteMigrator.migrate(
        connection,
        Migration.beforeNames(inserting: [person.account.insertionInFirstSchema, device.insertionInFirstSchema]))
    }
    let storage = try await SQLiteStorage.open(folder.path + "/file")
    try await DatabaseChecks.keepsAccountsWithoutNames(storage, person.account, device)
    await storage.close()
  }

  @Test func `codes without waiting periods stay valid`() async throws {
    let folder = try TemporaryFolder()
    let (account, code) = try OldRows.accountWithCode()
    do {
      let connection = try SQLiteConnection(folder.path + "/file", for: .writing, busyTimeout: .zero)
      try SQLiteMigrator.migrate(
        connection,
        Migration.before(.emailCeremonies, inserting: [account.insertion, code.insertionInFirstSchema]))
    }
    let storage = try await SQLiteStorage.open(folder.path + "/file")
    try await DatabaseChecks.keepsCodesWithoutWaitingPeriod(storage, account, code)
    await storage.close()
  }

  @Test func `refresh tokens without a session are deleted, the others are kept`() async throws {
    let folder = try TemporaryFolder()
    let person = try SampleUser()
    func token(of session: AccountSessionID) throws -> RefreshToken {
      RefreshToken(
        digest: try Sample.identifier(), session: session, user: person.account.handle, expiry: Sample.time(3600))
    }
    var opening = try person.opening()
    let kept = try token(of: opening.session.id)
    opening.refresh = kept
    let orphan = try token(of: Sample.identifier())
    let rows = opening.insertions.map(\.statement) + [person.account.insertion, orphan.insertion.statement]
    do {
      let connection = try SQLiteConnection(folder.path + "/file", for: .writing, busyTimeout: .zero)
      try SQLiteMigrator.migrate(connection, Migration.before(.refreshTokensOfSessions, inserting: rows))
    }
    let storage = try await SQLiteStorage.open(folder.path + "/file")
    #expect(try await storage.refreshToken(kept.digest) == kept)
    #expect(try await storage.refreshToken(orphan.digest) == nil)
    await storage.close()
  }

  private func device(of account: Account) throws -> Device {
    Device(id: try Sample.identifier(), user: account.handle, service: .apns, token: "phone", created: Sample.start)
  }

  @Test func `the latest schema contains everything of the first one`() async throws {
    let folder = try TemporaryFolder()
    let person = try SampleUser()
    let opening = try person.opening()
    do {
      let connection = try SQLiteConnection(folder.path + "/file", for: .writing, busyTimeout: .zero)
      try SQLiteMigrator.migrate(connection, [.first])
      for statement in [person.account.insertionInFirstSchema, person.passkey.insertion]
        + opening.insertions.map(\.statement)
      {
        _ = try connection.rows(statement.text, statement.values)
      }
      _ = try connection.rows(
        "INSERT INTO personal_details VALUES (1, 0, 0, 'address', $1, $2, $2)",
        [.opaque(person.account.handle), .bytes([1, 2, 3])])
    }
    let storage = try await SQLiteStorage.open(folder.path + "/file")
    let found = try await storage.session(token: opening.token)
    #expect(found?.session == opening.session)
    #expect(found?.account == person.account)
    #expect(try await storage.erase(person.account.handle, spending: nil, audit: []) == .erased)
    #expect(try await storage.session(token: opening.token) == nil)
    await storage.close()
    let connection = try SQLiteConnection(folder.path + "/file", for: .reading, busyTimeout: .zero)
    #expect(try connection.integer("SELECT count(*) FROM personal_details") == 0)
  }
}
