// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import TestSupport
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
