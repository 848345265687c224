// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import PasskeyStorage

extension PostgreSQLTests {
  /// Plans of statements that the sequencer of the audit log runs all the time.
  @Suite struct AuditLogTests {
    @Test func `the search for placed records does not read the whole table`() async throws {
      let configuration = try PostgreSQLServer.configuration()
      let storage = try await PostgreSQLStorage.open(configuration)
      let connection = try await OwnConnection.open()
      // A plan for any parameters, as a prepared statement gets it.
      try await connection.run(
        """
        SET search_path = \(configuration.schema); SET plan_cache_mode = force_generic_plan;
        INSERT INTO audit_positions (sequence, epoch, position)
        SELECT number, 1, number FROM generate_series(1000000, 1020000) AS number;
        ANALYZE audit_positions
        """)
      let statement = SQLAuditLog<PostgreSQLTransaction>.firstPlaced(in: 1, from: 1_020_001)
      let plan = try #require(
        try await connection.run(
          """
          PREPARE search AS \(statement.text);
          EXPLAIN (FORMAT JSON) EXECUTE search (1, 1020001)
          """))
      #expect(plan.contains("\"Index Cond\"") && !plan.contains("Seq Scan"))
      await storage.close()
    }
  }
}
