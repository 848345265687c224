// SPDX-License-Identifier: Apache-2.0

internal import PasskeyStorage

extension SQLDialect {
  /// An expression: 1 if the record `audit.sequence` waits for its place in the log, else 0.
  ///
  /// SQLite has one writer, so all records after the last placed one wait. On PostgreSQL a transaction with a low number may
  /// commit after one with a high number, so the waiting numbers are in a queue.
  var isWaiting: String {
    switch self {
    case .sqlite:
      "audit.sequence > \(Self.lastPlaced)"
    case .postgreSQL:
      "CASE WHEN EXISTS (SELECT 1 FROM audit_queue WHERE sequence = audit.sequence) THEN 1::bigint ELSE 0::bigint END"
    }
  }

  /// An expression of SQLite: the number of the last record with a place in the log; 0 for none.
  static let lastPlaced = "(SELECT coalesce(max(sequence), 0) FROM audit_positions)"

  /// Selects one row if a record waits for its place in the log.
  var firstWaiting: SQLStatement {
    switch self {
    case .sqlite:
      SQLStatement("SELECT 1 FROM audit WHERE sequence > \(Self.lastPlaced) LIMIT 1")
    case .postgreSQL: SQLStatement("SELECT sequence FROM audit_queue LIMIT 1")
    }
  }

  /// A statement that gives the waiting records their positions.
  func placement(in epoch: Int64, from size: SQLValue, limit: Int) -> SQLStatement {
    let limit = SQLValue.integer(Int64(clamping: limit))
    return switch self {
    case .sqlite:
      // Records that waited when the epoch began have positions above the size of its first tree.
      SQLStatement(
        """
        INSERT INTO audit_positions (sequence, epoch, position)
        SELECT sequence, $1, row_number() OVER (ORDER BY sequence)
          + (SELECT coalesce(max(position), -1) FROM audit_positions WHERE epoch = $1) FROM audit
        WHERE sequence > \(Self.lastPlaced) ORDER BY sequence LIMIT $2
        """, [.integer(epoch), limit])
    case .postgreSQL:
      SQLStatement(
        """
        WITH taken AS (
          DELETE FROM audit_queue WHERE sequence IN (SELECT sequence FROM audit_queue ORDER BY sequence LIMIT $3)
          RETURNING sequence)
        INSERT INTO audit_positions (sequence, epoch, position)
        SELECT sequence, $1::bigint, $2::bigint + row_number() OVER (ORDER BY sequence) - 1 FROM taken
        """, [.integer(epoch), size, limit])
    }
  }

  /// A statement that gives the record that was written last in this transaction the first position of an epoch. On SQLite it
  /// also gives the waiting records the next ones, because the number of the first record is higher than theirs.
  func placementOfFirst(in epoch: Int64) -> SQLStatement {
    switch self {
    case .sqlite:
      SQLStatement(
        """
        INSERT INTO audit_positions (sequence, epoch, position)
        SELECT sequence, $1, CASE sequence WHEN (SELECT max(sequence) FROM audit) THEN 0
          ELSE row_number() OVER (ORDER BY sequence) END
        FROM audit WHERE sequence > \(Self.lastPlaced)
        """, [.integer(epoch)])
    case .postgreSQL:
      SQLStatement(
        """
        WITH taken AS (DELETE FROM audit_queue WHERE sequence = currval('audit_sequence') RETURNING sequence)
        INSERT INTO audit_positions (sequence, epoch, position) SELECT sequence, $1::bigint, 0 FROM taken
        """, [.integer(epoch)])
    }
  }

  /// The number of a new row of the outbox. PostgreSQL inserts rows in parallel.
  var outboxNumber: SQLInsertion.Number { self == .sqlite ? .nextInTable : .drawn(from: "outbox_number") }
}
