// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyService
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeySQLite
@testable import PasskeyStorage

/// The store in a file of an embedding server, which has tables, settings and a connection of its own.
@Suite struct SQLiteSharedFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/shop.db" }

  /// The embedding server's connection.
  private let own: OwnFile

  init() throws {
    folder = try TemporaryFolder()
    own = try OwnFile(folder.path + "/shop.db")
    try own.run("PRAGMA application_id = 4711; PRAGMA user_version = 7; CREATE TABLE goods (name TEXT, rank INTEGER)")
    try own.run("INSERT INTO goods VALUES ('tea', 1), ('coffee', 2); DELETE FROM goods WHERE rank = 1")
  }

  private func open(_ tables: EmbeddedTables = EmbeddedTables()) async throws -> SQLiteStorage {
    try await SQLiteStorage.open(path, owner: .embeddingServer, embedded: tables)
  }

  /// A table that references accounts.
  private static func orders(_ reference: String) -> String {
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, person BLOB NOT NULL REFERENCES passkey_accounts (handle) \(reference))"
  }

  private func order(_ person: UserHandle) -> String {
    "INSERT INTO orders (person) VALUES (x'\(Hex.encode(person.bytes))')"
  }

  @Test(arguments: StorageContract.cases)
  func `the store fulfills the contract beside tables with its plain names`(
    of contract: StorageContract.Case
  ) async throws {
    let tables = SQLTableNames.prefixed.names.map { "CREATE TABLE \($0) (mine TEXT CHECK (mine = 'mine'));" }
    try own.run("BEGIN; \(tables.joined()) COMMIT")
    let storages = [try await open(), try await open()]
    try await contract.run(on: storages)
    for name in SQLTableNames.prefixed.names { #expect(try own.value("SELECT count(*) FROM \(name)") == "0") }
    for storage in storages { await storage.close() }
  }

  @Test func `own statements commit together with a grant, records and notices`() async throws {
    let storage = try await open(TransactionChecks.tables)
    try await TransactionChecks.commitTogether(storage)
    await storage.close()
  }

  @Test func `the file keeps its application ID, version, vacuum mode and row numbers`() async throws {
    let storage = try await open()
    try await SampleUser().register(with: storage)
    await storage.close()
    #expect(try own.value("PRAGMA application_id") == "4711")
    #expect(try own.value("PRAGMA user_version") == "7")
    #expect(try own.value("PRAGMA auto_vacuum") == "0")
    #expect(try own.value("SELECT rowid FROM goods") == "2")
    #expect(try own.value("SELECT version FROM passkey_schema") == "\(Schema.current.version)")
    #expect(try own.value("PRAGMA integrity_check") == "ok")
  }

  @Test func `a file with tables of the store is recognized, and no other`() async throws {
    await expectCode(.foreign) { _ = try await SQLiteStorage.open(path) }
    #expect(try own.value("PRAGMA journal_mode") == "delete")
    let person = try SampleUser()
    let storage = try await open()
    try await person.register(with: storage)
    await storage.close()
    let again = try await SQLiteStorage.open(path)
    #expect(try await again.account(person.account.handle) == person.account)
    await again.close()
    await expectCode(.foreign) { _ = try await SQLiteStorage.open(path, owner: .service) }

    let other = folder.path + "/passkey.db"
    await (try SQLiteStorage.open(other)).close()
    await expectCode(.foreign) { _ = try await SQLiteStorage.open(other, owner: .embeddingServer) }
  }

  @Test(arguments: [
    "CREATE TABLE passkey_things (a)", "CREATE VIEW Passkey_view AS SELECT 1", "CREATE TABLE passkey_schema (a)",
  ])
  func `a name that begins like the store's is refused, and the file is unchanged`(statement: String) async throws {
    try own.run(statement)
    let before = try File.bytes(path)
    await expectCode(.foreign) { _ = try await open() }
    #expect(try File.bytes(path) == before)
  }

  @Test func `a file of a later version is refused`() async throws {
    await (try open()).close()
    try own.run("UPDATE passkey_schema SET version = version + 1")
    await expectCode(.schemaNewer) { _ = try await open() }
  }

  @Test func `the embedding server writes with its own connection while others sign in`() async throws {
    let storage = try await open()
    let rows = 300
    async let written: Void = waiting { [own] in
      for number in 0..<rows {
        try own.run("BEGIN IMMEDIATE; INSERT INTO goods VALUES ('cocoa', \(number)); COMMIT")
      }
    }
    try await DatabaseChecks.trailStaysWhole([storage], writers: 16, rounds: 10)
    try await written
    #expect(try own.value("SELECT count(*) FROM goods WHERE name = 'cocoa'") == "\(rows)")
    await storage.close()
    #expect(try own.value("PRAGMA integrity_check") == "ok")
  }

  @Test func `sign-ins wait for a write of the embedding server, and fail if it takes too long`() async throws {
    let storage = try await SQLiteStorage.open(path, owner: .embeddingServer, busyTimeout: .milliseconds(50))
    let person = try SampleUser()
    try await person.register(with: storage)
    try own.run("BEGIN IMMEDIATE")
    await expectCode(.contended) { _ = try await storage.signIn(person.signIn()) }
    #expect(try await storage.account(person.account.handle) == person.account)
    try own.run("COMMIT")
    #expect(try await storage.signIn(person.signIn()) == .opened)
    await storage.close()
  }

  @Test func `a foreign key to an account holds for both programs`() async throws {
    let storage = try await open()
    try own.run(Self.orders(""))
    let (ada, bob) = (try SampleUser(), try SampleUser())
    for person in [ada, bob] { try await person.register(with: storage) }
    for person in [ada, bob] { try own.run(order(person.account.handle)) }
    let stranger = try SampleUser().account.handle
    #expect(throws: StorageError.self) { try own.run(order(stranger)) }
    await expectCode(.conflict) {
      _ = try await storage.transact(by: nil, spending: nil, audit: []) { (transaction) throws(StorageError) in
        try transaction.rows("INSERT INTO orders (person) VALUES ($1)", [.bytes(Array(stranger.bytes))])
      }
    }
    // The row of an order prevents the erasure of its account.
    await expectCode(.conflict) { _ = try await storage.erase(ada.account.handle, spending: nil, audit: []) }
    #expect(try await storage.account(ada.account.handle) == ada.account)
    await storage.close()

    let erasing = try await open(EmbeddedTables(erasure: ["DELETE FROM orders WHERE person = $1"]))
    #expect(try await erasing.erase(ada.account.handle, spending: nil, audit: []).refusal == nil)
    #expect(try own.value("SELECT count(*) FROM orders") == "1")
    await erasing.close()
  }

  @Test func `an erasure cascades to rows that reference the account`() async throws {
    let storage = try await open()
    try own.run(Self.orders("ON DELETE CASCADE"))
    let person = try SampleUser()
    try await person.register(with: storage)
    try own.run(order(person.account.handle))
    #expect(try await storage.erase(person.account.handle, spending: nil, audit: []).refusal == nil)
    #expect(try own.value("SELECT count(*) FROM orders") == "0")
    await storage.close()
  }

  @Test func `a broken deferred foreign key fails alone among concurrent writes`() async throws {
    let storage = try await open()
    try own.run(Self.orders("DEFERRABLE INITIALLY DEFERRED"))
    try await TransactionChecks.deferredKeyFailsAlone(storage, "INSERT INTO orders (person) VALUES ($1)")
    #expect(try own.value("SELECT count(*) FROM orders") == "0")
    await storage.close()
  }

  @Test func `the embedding server may vacuum the file while it is in use`() async throws {
    let storage = try await open()
    let people = try (0..<20).map { (_) in try SampleUser() }
    for person in people {
      try await person.register(with: storage)
      #expect(try await storage.signIn(person.signIn()) == .opened)
    }
    try own.run("VACUUM")
    for person in people {
      #expect(try await storage.account(person.account.handle) == person.account)
      #expect(try await storage.signIn(person.signIn()) == .opened)
    }
    _ = try await DatabaseChecks.verifiedRequests(storage)
    await storage.close()
    #expect(try own.value("PRAGMA integrity_check") == "ok")
  }

  @Test func `a backup contains the embedding server's tables, and opens as a store`() async throws {
    let storage = try await open()
    let person = try SampleUser()
    try await person.register(with: storage)
    let copy = folder.path + "/copy.db"
    try await storage.backUp(to: copy)
    await storage.close()
    let restored = try await SQLiteStorage.open(copy)
    #expect(try await restored.account(person.account.handle) == person.account)
    #expect(try OwnFile(copy).value("SELECT name FROM goods") == "coffee")
    #expect(try OwnFile(copy).value("PRAGMA user_version") == "7")
    await restored.close()
  }

  @Test func `an erased account is in none of the files, also with another connection open`() async throws {
    let storage = try await open()
    let person = try SampleUser()
    try await person.register(with: storage)
    #expect(try own.value("SELECT count(*) FROM passkey_accounts") == "1")
    let email = Array(try #require(person.account.email).text.utf8)
    func isInFiles() throws -> Bool {
      try File.names(in: folder.path).contains { (name) in try File.bytes("\(folder.path)/\(name)").contains(email) }
    }
    #expect(try isInFiles())
    #expect(try await storage.erase(person.account.handle, spending: nil, audit: []).refusal == nil)
    #expect(try !isInFiles())
    await storage.close()
  }

  @Test func `a transaction refuses statements after its body has returned`() async throws {
    let storage = try await open()
    let kept = Kept()
    _ = try await storage.transact(by: nil, spending: nil, audit: []) { (transaction) throws(StorageError) in
      kept.transaction = transaction
    }
    await #expect(throws: StorageError(.failed, "the transaction has ended")) {
      try await waiting { try kept.transaction?.rows("SELECT 1", []) }
    }
    await storage.close()
  }

  /// A transaction that a body keeps against the rules.
  private final class Kept: @unchecked Sendable {  // Written before it is read.
    var transaction: (any StorageTransaction)?
  }
}
