// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
@testable import PasskeyPostgreSQL
@testable import PasskeyService
import PasskeyServiceTestSupport
import PasskeyTestSupport
import PasskeyTransparencyLog
import Testing
import WebAuthnTypes

@testable import PasskeyStorage

extension PostgreSQLTests {
  /// Sweeps beside other transactions.
  @Suite(.tags(.alone)) struct SweepingTests {
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
      _ = try await storage.spend(Sample.ceremony(until: Sample.start))
      // A sign-in has this lock.
      let other = try await OwnConnection.open()
      try await other.run(
        "BEGIN; SELECT pg_advisory_xact_lock_shared(\(SQLDialect.advisoryKey(of: "\(configuration.schema).accounts")))")
      #expect(try await storage.sweep(bounds, limit: 100) == 2)
      try await other.run("COMMIT")
      await storage.close()
    }

    @Test func `a row that another transaction has locked waits for the next sweep`() async throws {
      let table = "\(configuration.schema).spent_ceremonies"
      for _ in 0..<3 { _ = try await storage.spend(Sample.ceremony(until: Sample.start)) }
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
        "BEGIN; SELECT pg_advisory_xact_lock(\(SQLDialect.advisoryKey(of: "\(configuration.schema).accounts")))")
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

    @Test func `servers that sweep at once delete checkpoints in one order`() async throws {
      let schema = configuration.schema
      let log = try await LogWorld(storage).begin()
      // Each deletion is noted with its transaction.
      let watching = try await OwnConnection.open()
      try await watching.run(
        """
        CREATE TABLE \(schema).deleted (number bigserial, transaction bigint, size bigint);
        CREATE FUNCTION \(schema).note_deletion() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN
          INSERT INTO \(schema).deleted (transaction, size) VALUES (txid_current(), OLD.size); RETURN OLD;
        END $body$;
        CREATE TRIGGER deletion BEFORE DELETE ON \(schema).audit_checkpoints
          FOR EACH ROW EXECUTE FUNCTION \(schema).note_deletion()
        """)
      // All of one hour. They are stored in another order than that of their sizes, and every third one is cosigned.
      let key = try SigningKey.generate(.ed25519, random: .system)
      let signer = try NoteSigner(name: log.origin, kind: .ed25519, signingKey: key)
      let witness = try NoteSigner(name: "w.example/1", kind: .ed25519Cosignature, signingKey: key)
      let sizes = (2...301).sorted { ($0 % 7, $0) < ($1 % 7, $1) }
      let rows = try sizes.map { (size) in
        let checkpoint = try Checkpoint(origin: log.origin, size: UInt64(size), root: TreeHash(ofEntry: []))
        var note = try checkpoint.signed(by: signer, at: Sample.start)
        if size % 3 == 1 { try note.add([witness.sign(note.text, at: Sample.start)]) }
        return StoredCheckpoint(
          epoch: 1, size: UInt64(size), signed: Sample.time(size), isCosigned: size % 3 == 1, note: note.bytes[...])
      }
      _ = try await storage.sequenceAuditLog { (log) throws(ServiceError) in
        for row in rows { try? log.write(row) }
      }
      let sweep = SweepBounds(time: Sample.start, checkpoints: Sample.start..<Sample.time(3_600))
      let servers = [storage, try await .open(configuration), try await .open(configuration)]
      let count = try await withThrowingTaskGroup(of: Int.self) { (group) in
        for server in servers { group.addTask { try await server.sweep(sweep, limit: 500) } }
        return try await group.reduce(0, +)
      }
      // The last one remains, which is cosigned.
      #expect(count == 300)
      #expect(try await watching.run("SELECT count(DISTINCT size) FROM \(schema).deleted") == "300")
      #expect(
        try await watching.run(
          """
          SELECT count(*) FROM \(schema).deleted AS one JOIN \(schema).deleted AS next USING (transaction)
          WHERE one.number < next.number AND one.size >= next.size
          """) == "0")
      for server in servers { await server.close() }
    }
  }
}
