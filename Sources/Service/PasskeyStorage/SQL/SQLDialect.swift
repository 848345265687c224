// SPDX-License-Identifier: Apache-2.0

/// The expressions and statements that SQLite and PostgreSQL do not share.
package enum SQLDialect: Hashable, Sendable {
  case sqlite
  case postgreSQL

  /// A condition: the column's bytes contain the parameter's bytes.
  package func containsCondition(_ column: String, _ parameter: String) -> String {
    switch self {
    case .sqlite: "instr(\(column), \(parameter)) > 0"
    case .postgreSQL: "position(\(parameter)::bytea in \(column)) > 0"
    }
  }

  /// Whether one statement makes all changes of a sign-in, its records included.
  package var hasGatedChanges: Bool { self == .postgreSQL }
}

extension SQLDialect {
  /// The key of an advisory lock of PostgreSQL: "PKEY" and the object ID of a table, so that stores in two schemas do not
  /// block each other.
  package static func advisoryKey(of table: String) -> String { "1347110233, '\(table)'::regclass::oid::int" }

  /// Locks changes of the log until the end of the transaction; nil for a database with one writer.
  package var logLock: SQLStatement? {
    self == .sqlite ? nil : SQLStatement("SELECT pg_advisory_xact_lock(\(Self.advisoryKey(of: "audit")))")
  }

  /// Tries to take ``logLock``, and selects 1 if it succeeds.
  package var triedLogLock: SQLStatement? {
    guard self == .postgreSQL else { return nil }
    let tried = "pg_try_advisory_xact_lock(\(Self.advisoryKey(of: "audit")))"
    return SQLStatement("SELECT CASE WHEN \(tried) THEN 1::bigint ELSE 0::bigint END")
  }
}
