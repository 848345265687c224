// SPDX-License-Identifier: Apache-2.0

@testable import PasskeyPostgreSQL
@testable import PasskeyService
import PasskeyTestSupport
import Testing

@testable import PasskeyStorage

extension PostgreSQLTests {
  /// Plans of statements that run all the time, for any parameters, as a prepared statement gets them.
  @Suite struct PlansTests {
    @Test func `the search for placed records does not read the whole table`() async throws {
      let plan = try await plan(
        of: SQLAuditLog<PostgreSQLTransaction>.firstPlaced(in: 1, from: 1_020_001).text, "1, 1020001",
        filling: [
          """
          INSERT INTO audit_positions (sequence, epoch, position)
          SELECT number, 1, number FROM generate_series(1000000, 1020000) AS number
          """,
          "ANALYZE audit_positions",
        ])
      #expect(plan.contains("\"Index Cond\"") && !plan.contains("Seq Scan"))
    }

    @Test(arguments: ["email", "username_key"])
    func `accounts are found by the beginning of a name in an index that is sorted by bytes`(
      column: String
    ) async throws {
      let plan = try await plan(
        of: "SELECT handle FROM accounts WHERE \(column) >= $1 AND \(column) < $2 ORDER BY \(column) LIMIT $3",
        "'ada1', 'ada2', 100",
        filling: [
          """
          INSERT INTO accounts (handle, email, username, username_key, awaits_verification, state, roles, created,
            updated, administers)
          SELECT sha256(number::text::bytea), 'ada' || number || '@raxx.app', 'Ada' || number, 'ada' || number, 0,
            'active', '\\x80', 1, 1, 0 FROM generate_series(1, 20000) AS number
          """,
          "ANALYZE accounts",
        ])
      #expect(plan.contains("\"Index Cond\"") && !plan.contains("Seq Scan") && !plan.contains("\"Sort\""))
    }

    /// The databases of tests have the locale C, in which every column is sorted by bytes.
    @Test func `names are sorted by bytes in a database of any locale`() async throws {
      let configuration = try PostgreSQLServer.configuration()
      let storage = try await PostgreSQLStorage.open(configuration)
      let collations = try await OwnConnection.open().run(
        """
        SELECT string_agg(collname, ' ') FROM pg_attribute JOIN pg_collation ON pg_collation.oid = attcollation
        WHERE attrelid = '\(configuration.schema).accounts'::regclass AND attname IN ('email', 'username_key')
        """)
      #expect(collations == "C C")
      await storage.close()
    }

    /// Returns the plan of a statement of the store with these arguments, once its tables are filled.
    private func plan(of statement: String, _ arguments: String, filling: [String]) async throws -> String {
      let configuration = try PostgreSQLServer.configuration()
      let storage = try await PostgreSQLStorage.open(configuration)
      let connection = try await OwnConnection.open()
      // One by one: a VACUUM cannot share a transaction.
      for setting in ["search_path = \(configuration.schema)", "plan_cache_mode = force_generic_plan"] {
        try await connection.run("SET \(setting)")
      }
      for statement in filling { try await connection.run(statement) }
      try await connection.run("PREPARE search AS \(statement)")
      let plan = try await connection.run("EXPLAIN (FORMAT JSON) EXECUTE search (\(arguments))")
      await storage.close()
      return try #require(plan)
    }
  }
}
