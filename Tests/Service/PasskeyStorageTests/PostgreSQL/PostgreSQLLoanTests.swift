// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
@testable import PasskeyPostgreSQL
import PasskeyService
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyStorage

extension PostgreSQLTests {
  /// The store within transactions of an embedding server's own connection.
  @Suite(.tags(.alone)) struct LoanTests {
    /// An embedding server with a table of its own, and a confirmation to spend.
    struct Shop {
      let storage: PostgreSQLStorage
      let own: OwnConnection
      let table: String
      let person: Account
      let grant: StepUpGrant
      let spending: GrantSpending

      init(_ configuration: PostgreSQLConfiguration) async throws {
        storage = try await PostgreSQLStorage.open(configuration)
        own = try await OwnConnection.open()
        table = "public.orders_of_\(configuration.schema)"
        try await own.run(
          """
          CREATE TABLE \(table) (
            id bigint PRIMARY KEY, person bytea NOT NULL REFERENCES \(configuration.schema).accounts (handle))
          """)
        let (person, passkey) = try await storage.registerAccount()
        let opening = try await storage.open(passkey)
        self.person = person
        grant = try await storage.grant(try #require(storage.passkey(passkey.record.id)), opening)
        spending = GrantSpending(grant)
      }

      func insert(_ id: Int) -> String {
        "INSERT INTO \(table) (id, person) VALUES (\(id), '\\x\(Hex.encode(person.handle.bytes))')"
      }

      var orderCount: String? {
        get async throws { try await own.run("SELECT count(*) FROM \(table)") }
      }

      /// Spends the confirmation, and appends a record and a notice, in the transaction of a connection.
      func perform(
        on connection: OwnConnection? = nil, spending: GrantSpending? = nil,
        _ body: @escaping @Sendable (any StorageTransaction) throws(StorageError) -> Void = {
          (_) throws(StorageError) in
        }
      ) async throws -> Bool {
        let notice = RoutedNotice(
          Notice(
            NoticeEvent(rawValue: "order.filled"), cause: "o-1", of: person.handle, at: Sample.start, details: [:]),
          to: [DestinationName(rawValue: "erp")])
        let loan = unsafe storage.borrow((connection ?? own).pointer)
        let done: Bool? = try await loan.transaction.transact(
          by: nil, spending: spending ?? self.spending, audit: [Sample.draft(.stepUpSpent, of: person.handle)]
        ) { (transaction) throws(StorageError) in
          try transaction.enqueue([notice])
          try body(transaction)
          return true
        }
        return done ?? false
      }

      func close() async throws {
        await storage.close()
        try await own.run("ROLLBACK; DROP TABLE \(table)")
      }
    }

    private func shop(_ change: (inout PostgreSQLConfiguration) -> Void = { _ in }) async throws -> Shop {
      var configuration = try PostgreSQLServer.configuration()
      change(&configuration)
      return try await Shop(configuration)
    }

    @Test func `a grant, a record and a notice commit with the embedding server's own write`() async throws {
      let shop = try await shop()
      let count = try await shop.storage.recordCount
      try await shop.own.run("BEGIN")
      try await shop.own.run(shop.insert(1))
      #expect(try await shop.perform())
      #expect(try await shop.storage.recordCount == count)
      try await shop.own.run(shop.insert(2))
      try await shop.own.run("COMMIT")
      #expect(try await shop.orderCount == "2")
      #expect(try await shop.storage.recordCount == count + 1)
      #expect(try await shop.storage.outboxCounts().map(\.waiting) == [1])
      #expect(try await !shop.storage.spend(shop.spending, audit: []))
      _ = try await DatabaseChecks.verifiedRequests(shop.storage)
      try await shop.close()
    }

    @Test func `a rollback of the embedding server undoes all of it`() async throws {
      let shop = try await shop()
      let count = try await shop.storage.recordCount
      try await shop.own.run("BEGIN")
      #expect(try await shop.perform())
      try await shop.own.run(shop.insert(1))
      try await shop.own.run("ROLLBACK")
      #expect(try await shop.storage.recordCount == count)
      #expect(try await shop.storage.outboxCounts().isEmpty)
      #expect(try await shop.storage.spend(shop.spending, audit: []))
      try await shop.close()
    }

    @Test func `a body that fails leaves the transaction usable and nothing in it`() async throws {
      let shop = try await shop()
      let count = try await shop.storage.recordCount
      try await shop.own.run("BEGIN")
      try await shop.own.run(shop.insert(1))
      await expectCode(.conflict) { [insert = shop.insert(1)] in
        _ = try await shop.perform { (transaction) throws(StorageError) in _ = try transaction.rows(insert, []) }
      }
      await #expect(throws: StorageError(.failed, "refused by the body")) {
        _ = try await shop.perform { (_) throws(StorageError) in throw StorageError(.failed, "refused by the body") }
      }
      // The locks are gone with the savepoint.
      try await shop.storage.append([Sample.draft(of: shop.person.handle)])
      try await shop.own.run("COMMIT")
      #expect(try await shop.orderCount == "1")
      #expect(try await shop.storage.recordCount == count + 1)
      #expect(try await shop.storage.spend(shop.spending, audit: []))
      try await shop.close()
    }

    @Test func `a refused confirmation changes nothing and locks nothing`() async throws {
      let shop = try await shop()
      let count = try await shop.storage.recordCount
      var other = shop.grant
      other.actionDigest = try Sample.bytes(32)
      try await shop.own.run("BEGIN")
      #expect(try await !shop.perform(spending: GrantSpending(other)))
      try await shop.storage.append([Sample.draft(of: shop.person.handle)])
      #expect(try await shop.perform())
      try await shop.own.run("COMMIT")
      #expect(try await shop.storage.recordCount == count + 2)
      try await shop.close()
    }

    @Test func `the session keeps its settings and gets no prepared statement`() async throws {
      let shop = try await shop()
      let settings = """
        SELECT current_setting('search_path') || ' ' || current_setting('statement_timeout') || ' '
          || current_setting('idle_in_transaction_session_timeout') || ' ' || current_setting('synchronous_commit')
        """
      try await shop.own.run(
        "SET search_path = public, pg_temp; SET statement_timeout = '47s'; SET synchronous_commit = off")
      let before = try await shop.own.run(settings)
      try await shop.own.run("BEGIN")
      let path = try await shop.own.run("SELECT current_setting('search_path')")
      let name = shop.table.dropFirst("public.".count)
      let found = Found()
      #expect(
        try await shop.perform { (transaction) throws(StorageError) in
          // Statements of the embedding server run with its own search path.
          _ = try transaction.rows("SELECT count(*) FROM \(name)", [])
          found.path = try transaction.rows("SELECT current_setting('search_path')", []).first?.first
        })
      #expect(found.path == path.map { .text($0) })
      #expect(try await shop.own.run("SELECT current_setting('search_path')") == path)
      #expect(try await shop.own.run("SHOW statement_timeout") == "47s")
      #expect(try await shop.own.run("SHOW synchronous_commit") == "on")
      try await shop.own.run("COMMIT")
      #expect(try await shop.own.run(settings) == before)
      #expect(try await shop.own.run("SELECT count(*) FROM pg_prepared_statements") == "0")
      #expect(!shop.own.isInPipeline && !shop.own.isNonblocking)
      try await shop.close()
    }

    private final class Found: @unchecked Sendable {  // Written before it is read.
      var path: StorageValue?
    }

    @Test(.enabled(if: PostgreSQLServer.pooler != nil, "PgBouncer is not here"))
    func `transactions through a pooler share one session and leave nothing in it`() async throws {
      let shop = try await shop()
      let clients = try await [OwnConnection.open(PostgreSQLServer.pooler), .open(PostgreSQLServer.pooler)]
      let path = try await clients[0].run("SHOW search_path")
      for (number, client) in (clients + clients).enumerated() {
        try await client.run("BEGIN")
        try await client.run(shop.insert(number))
        #expect(try await shop.perform(on: client) == (number == 0))
        try await client.run("COMMIT")
      }
      #expect(try await shop.orderCount == "4")
      #expect(try await shop.storage.outboxCounts().map(\.waiting) == [1])
      #expect(try await clients[1].run("SHOW search_path") == path)
      #expect(try await clients[1].run("SELECT count(*) FROM pg_prepared_statements") == "0")
      try await shop.close()
    }

    @Test func `a connection that is not ready is refused and unchanged`() async throws {
      let shop = try await shop()
      await expectCode(.configurationInvalid) { _ = try await shop.perform() }
      try await shop.own.run("BEGIN")
      await #expect(throws: StorageError.self) { try await shop.own.run("nonsense") }
      await expectCode(.configurationInvalid) { _ = try await shop.perform() }
      try await shop.own.run("ROLLBACK; SET client_encoding = 'LATIN1'; BEGIN")
      await expectCode(.configurationInvalid) { _ = try await shop.perform() }
      try await shop.own.run("ROLLBACK; RESET client_encoding; BEGIN")
      shop.own.enterPipeline()
      await expectCode(.configurationInvalid) { _ = try await shop.perform() }
      #expect(shop.own.isInPipeline)
      #expect(try await shop.storage.spend(shop.spending, audit: []))
      let other = try await OwnConnection.open()
      await shop.storage.close()
      try await other.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state LIKE 'idle in%'")
      try await other.run("DROP TABLE \(shop.table)")
    }

    @Test func `a lost connection is reported, and the store goes on`() async throws {
      let shop = try await shop()
      try await shop.own.run("BEGIN")
      let ending = try await OwnConnection.open()
      let process = try #require(try await shop.own.run("SELECT pg_backend_pid()"))
      try await ending.run("SELECT pg_terminate_backend(\(process))")
      await expectCode(.unavailable) { _ = try await shop.perform() }
      #expect(!shop.own.isOpen)
      #expect(try await shop.storage.spend(shop.spending, audit: []))
      await shop.storage.close()
      try await ending.run("DROP TABLE \(shop.table)")
    }

    @Test(arguments: ["REPEATABLE READ", "SERIALIZABLE"])
    func `a transaction whose snapshots may be older than the lock is refused`(_ level: String) async throws {
      let shop = try await shop()
      try await shop.own.run("BEGIN ISOLATION LEVEL \(level)")
      try await shop.own.run(shop.insert(1))
      await expectCode(.isolationUnsupported) { _ = try await shop.perform() }
      try await shop.own.run("COMMIT")
      #expect(try await shop.orderCount == "1")
      #expect(try await shop.storage.spend(shop.spending, audit: []))
      try await shop.close()
    }

    @Test func `a deadlock with an erasure ends, and the erasure succeeds`() async throws {
      let configuration = try PostgreSQLServer.configuration()
      let shop = try await Shop(configuration)
      let erasing = try await PostgreSQLStorage.open(
        configuration, embedded: EmbeddedTables(erasure: ["DELETE FROM \(shop.table) WHERE person = $1"]))
      try await shop.own.run("BEGIN")
      try await shop.own.run(shop.insert(1))
      async let erased = erasing.erase(shop.person.handle, spending: nil, audit: [])
      // The erasure has the lock of the store and waits for the order's lock on the account.
      let other = try await OwnConnection.open()
      let isWaiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'DELETE%'"
      #expect(try await HangGuard.waits { () async throws -> Bool in try await other.run(isWaiting) != nil })
      do {
        #expect(try await shop.perform())
        try await shop.own.run("COMMIT")
      } catch let error as StorageError {
        #expect(error.code == .contended)
        try await shop.own.run("ROLLBACK")
      }
      #expect(try await erased.refusal == nil)
      #expect(try await shop.orderCount == "0")
      await erasing.close()
      try await shop.close()
    }

    @Test func `of two concurrent transactions one spends the grant`() async throws {
      let shop = try await shop()
      let other = try await OwnConnection.open()
      for connection in [shop.own, other] { try await connection.run("BEGIN") }
      let outcomes = try await withThrowingTaskGroup(of: Bool.self) { (group) in
        for connection in [shop.own, other] {
          group.addTask {
            let done = try await shop.perform(on: connection)
            try await connection.run("COMMIT")
            return done
          }
        }
        var outcomes: [Bool] = []
        for try await outcome in group { outcomes.append(outcome) }
        return outcomes
      }
      #expect(outcomes.count { $0 } == 1)
      try await shop.close()
    }

    @Test func `a transaction that stalls with the lock is ended by the server`() async throws {
      let shop = try await shop { $0.statementTimeout = .milliseconds(200) }
      try await shop.own.run("BEGIN")
      #expect(try await shop.perform())
      // Work on the account fails in the meantime, and succeeds afterwards.
      let isFree = await HangGuard.waits { () async -> Bool in
        (try? await shop.storage.append([Sample.draft(of: shop.person.handle)])) != nil
      }
      #expect(isFree)
      await #expect(throws: StorageError.self) { try await shop.own.run("COMMIT") }
      #expect(try await shop.storage.spend(shop.spending, audit: []))
      await shop.storage.close()
    }

    @Test func `a statement that waits too long for the lock times out, and the transaction goes on`() async throws {
      let shop = try await shop { $0.statementTimeout = .milliseconds(200) }
      let blocking = try await OwnConnection.open()
      try await blocking.run(
        "BEGIN; SELECT pg_advisory_xact_lock(1347110233, '\(shop.storage.configuration.schema).accounts'::regclass::oid::int)"
      )
      try await shop.own.run("BEGIN")
      try await shop.own.run(shop.insert(1))
      await expectCode(.timedOut) { _ = try await shop.perform() }
      try await blocking.run("COMMIT")
      #expect(try await shop.perform())
      try await shop.own.run("COMMIT")
      #expect(try await shop.orderCount == "1")
      try await shop.close()
    }
  }
}
