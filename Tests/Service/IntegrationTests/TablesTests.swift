// SPDX-License-Identifier: Apache-2.0

import FluentSQLStandIn
@testable import IntegrationPages
import PostgresNIOStandIn
import Testing
@testable import VaporPages
import WebAuthnRelyingParty

/// The statements of the pages on PostgresNIO and Fluent, on SQLite, with many tasks at once.
@Suite struct TablesTests {
  private static func credential(_ user: UserHandle, counter: UInt32) throws -> StoredCredential {
    StoredCredential(
      user: user,
      record: CredentialRecord(
        id: try CredentialID([1, 2, 3]), publicKey: [4], signCount: counter, uvInitialized: true, transports: [.usb],
        backupEligible: false, backupState: false))
  }

  /// The number of tasks whose work succeeds.
  private static func winners(_ work: @escaping @Sendable (Int) async throws -> Bool) async throws -> Int {
    try await withThrowingTaskGroup(of: Bool.self) { (group) in
      for number in 1...40 { group.addTask { try await work(number) } }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
  }

  private func check<Tables: Sendable>(
    _ tables: Tables, keep: (Tables, [UInt8]) async throws -> Void,
    take: @escaping @Sendable (Tables) async throws -> [UInt8],
    store: @escaping @Sendable (Tables, StoredCredential, StoredCredential?) async throws -> Bool,
    credential: (Tables, CredentialID) async throws -> StoredCredential?,
    credentials: (Tables, UserHandle) async throws -> [StoredCredential]
  ) async throws {
    #expect(try await take(tables).isEmpty)
    try await keep(tables, [1])
    try await keep(tables, [2, 3])
    #expect(try await Self.winners { (_) in try await take(tables) == [2, 3] } == 1)

    let ada = try UserHandle([7, 8])
    #expect(
      try await Self.winners { try await store(tables, Self.credential(ada, counter: UInt32($0)), nil) } == 1)
    let old = try #require(try await credential(tables, CredentialID([1, 2, 3])))
    #expect(try await credentials(tables, ada) == [old])
    #expect(
      try await Self.winners { try await store(tables, Self.credential(ada, counter: UInt32(100 + $0)), old) } == 1)
    let new = try #require(try await credential(tables, CredentialID([1, 2, 3])))
    #expect(new.record.signCount > 100 && new.user == ada)
    // Not for another user, and not what is unknown.
    let foreign = try Self.credential(UserHandle([9]), counter: 200)
    #expect(try await !store(tables, foreign, StoredCredential(user: foreign.user, record: new.record)))
    #expect(try await credential(tables, CredentialID([5])) == nil)
    #expect(try await credentials(tables, UserHandle([5])).isEmpty)
  }

  @Test func `of forty tasks, PostgresNIO's tables let one take, register and change`() async throws {
    let tables = PostgresTables(client: PostgresClient())
    try await tables.create()
    try await tables.create()
    try await check(
      tables, keep: { try await $0.keep($1, for: "session") }, take: { try await $0.take("session") },
      store: { try await $0.store($1, replacing: $2) }, credential: { try await $0.credential($1) },
      credentials: { try await $0.credentials(of: $1) })
  }

  @Test func `of forty tasks, Fluent's tables let one take, register and change`() async throws {
    let database = MemoryDatabase()
    try await CreatePasskeys().prepare(on: database)
    let tables = FluentTables(sql: database)
    try await check(
      tables, keep: { try await $0.keep($1, for: "session") }, take: { try await $0.take("session") },
      store: { try await $0.store($1, replacing: $2) }, credential: { try await $0.credential($1) },
      credentials: { try await $0.credentials(of: $1) })
    try await CreatePasskeys().revert(on: database)
    await #expect(throws: (any Error).self) { try await tables.take("session") }
  }
}
