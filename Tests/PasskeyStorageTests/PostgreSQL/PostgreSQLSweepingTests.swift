// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import ServiceTestSupport
import TestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyStorage

extension PostgreSQLTests {
  /// Sweeps beside other transactions.
  @Suite struct SweepingTests {
    private let configuration: PostgreSQLConfiguration
    private let storage: PostgreSQLStorage

    init() async throws {
      var configuration = try PostgreSQLServer.configuration()
      // A slow machine must not end the waits.
      configuration.statementTimeout = .seconds(HangGuard.seconds)
      self.configuration = configuration
      storage = try await .open(configuration)
    }

    private let bounds = SweepBounds(time: Sample.time(1000))

    @Test(arguments: ExpiredRows.allCases)
    func `each statement of a sweep finds its rows by an index`(kind: ExpiredRows) async throws {
      let connection = try await OwnConnection.open()
      // A plan for any parameters. Of an empty table, a sequential scan or a bitmap costs less than an index scan.
      try await connection.run(
        """
        SET search_path = \(configuration.schema); SET plan_cache_mode = force_generic_plan;
        SET enable_seqscan = off; SET enable_bitmapscan = off
        """)
      func plan(_ statement: SQLStatement) async throws -> String {
        let parameters = Array(repeating: "NULL", count: statement.values.count).joined(separator: ", ")
        let text = try await connection.run(
          """
          PREPARE sweeping AS \(statement.text);
          EXPLAIN (FORMAT JSON) EXECUTE sweeping (\(parameters))
          """)
        try await connection.run("DEALLOCATE sweeping")
        return try #require(text)
      }
      // The index of the time gives the order, so nothing is sorted.
      let selection = try await plan(kind.selection(before: Sample.start, limit: 500))
      #expect(selection.contains("\"Index Cond\""))
      for node in ["Seq Scan", "Sort"] { #expect(!selection.contains(node)) }
      let deletions =
        [kind.deletion(of: [.null], before: Sample.start, .postgreSQL)] + ExpiredRows.endings(of: [.null])
      for deletion in deletions {
        let steps = try await plan(deletion)
        #expect(steps.contains("\"Index Cond\"") && !steps.contains("Seq Scan"))
      }
      await storage.close()
    }

    @Test func `a sweep does not wait for transactions of other accounts`() async throws {
      let (_, passkey) = try await storage.registerAccount()
      _ = try await storage.open(passkey, lifetime: 10)
      _ = try await storage.store(Sample.ceremony(until: Sample.start), spending: nil, audit: [])
      // A sign-in has this lock.
      let other = try await OwnConnection.open()
      try await other.run(
        "BEGIN; SELECT pg_advisory_xact_lock_shared(\(PostgreSQLLocks.key(of: "\(configuration.schema).accounts")))")
      #expect(try await storage.sweep(bounds, limit: 100) == 2)
      try await other.run("COMMIT")
      await storage.close()
    }

    @Test func `a row that another transaction has locked waits for the next sweep`() async throws {
      let table = "\(configuration.schema).ceremonies"
      for _ in 0..<3 { _ = try await storage.store(Sample.ceremony(until: Sample.start), spending: nil, audit: []) }
      let other = try await OwnConnection.open()
      try await other.run("BEGIN; SELECT id FROM \(table) LIMIT 1 FOR UPDATE")
      #expect(try await storage.sweep(bounds, limit: 100) == 2)
      #expect(try await storage.sweep(bounds, limit: 100) == 0)
      try await other.run("COMMIT")
      #expect(try await storage.sweep(bounds, limit: 100) == 1)
      await storage.close()
    }

    @Test func `a session that is renewed while a sweep waits for its account stays`() async throws {
      let (_, passkey) = try await storage.registerAccount()
      let opening = try await storage.open(passkey, lifetime: 10)
      // Accounts of the other servers are locked by a key that the test does not know, so it locks the whole store.
      let other = try await OwnConnection.open()
      try await other.run(
        "BEGIN; SELECT pg_advisory_xact_lock(\(PostgreSQLLocks.key(of: "\(configuration.schema).accounts")))")
      async let count = storage.sweep(bounds, limit: 100)
      let watching = try await OwnConnection.open()
      #expect(
        try await HangGuard.waits { () async throws -> Bool in
          try await watching.run("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted") == "1"
        })
      try await other.run("UPDATE \(configuration.schema).sessions SET ending = ending + 100000; COMMIT")
      #expect(try await count == 0)
      #expect(try await storage.session(token: opening.token) != nil)
      await storage.close()
    }
  }
}
