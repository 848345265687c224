// SPDX-License-Identifier: Apache-2.0

package import PasskeyService

/// The form of the audit trail that a transaction appends to.
package enum AuditForm: Sendable {
  /// A chain that ends here. The store has no row in `audit_logs`.
  case chain(AuditEnd)
  /// A log.
  case log(AuditNumbers)

  /// The number of a new row of the outbox. Without the lock of a chain, rows are inserted in parallel.
  var outboxNumber: SQLInsertion.Number {
    if case .log(.drawn) = self { .drawn(from: "outbox_number") } else { .nextInTable }
  }

  /// Reads the newest log.
  package static let logSelection = SQLStatement("SELECT epoch FROM audit_logs ORDER BY epoch DESC LIMIT 1")
}

/// The source of the numbers of a log's records.
package enum AuditNumbers: Sendable {
  /// A counter, of which this is the last number: only one transaction writes at a time.
  case counted(last: Int64)
  /// The sequence `audit_sequence` of the database.
  case drawn

  /// Reads the last number of a counter. A number is never used again, even if an attacker removes records.
  static let lastSelection = SQLStatement(
    """
    SELECT max(
      coalesce((SELECT max(sequence) FROM audit), 0), coalesce((SELECT max(sequence) FROM audit_positions), 0),
      coalesce((SELECT max(after) FROM audit_logs), 0))
    """)
}
