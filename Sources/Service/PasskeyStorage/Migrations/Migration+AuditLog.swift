// SPDX-License-Identifier: Apache-2.0

extension Migration {
  /// Adds the audit log: its epochs, the positions of its records, its tiles and checkpoints, and what its witnesses have
  /// cosigned.
  ///
  /// A tile grows in its row up to 256 hashes. On PostgreSQL a record waits in the queue for its position; on SQLite all
  /// records after the last position wait.
  static let auditLog = Migration(
    purpose: "the audit trail as a transparency log",
    statements: [
      "CREATE TABLE audit_logs (epoch INTEGER PRIMARY KEY NOT NULL, origin TEXT NOT NULL, verifier TEXT NOT NULL)",
      """
      CREATE TABLE audit_positions (
        sequence INTEGER PRIMARY KEY NOT NULL, epoch INTEGER NOT NULL, position INTEGER NOT NULL)
      """,
      "CREATE UNIQUE INDEX audit_positions_place ON audit_positions (epoch, position)",
      """
      CREATE TABLE audit_tiles (
        epoch INTEGER NOT NULL, level INTEGER NOT NULL, tile INTEGER NOT NULL, hashes BLOB NOT NULL,
        PRIMARY KEY (epoch, level, tile)) WITHOUT ROWID
      """,
      """
      CREATE TABLE audit_checkpoints (
        epoch INTEGER NOT NULL, size INTEGER NOT NULL, signed INTEGER NOT NULL, cosigned INTEGER NOT NULL,
        note BLOB NOT NULL, PRIMARY KEY (epoch, size)) WITHOUT ROWID
      """,
      """
      CREATE TABLE audit_witnesses (
        verifier TEXT PRIMARY KEY NOT NULL, epoch INTEGER NOT NULL, size INTEGER NOT NULL) WITHOUT ROWID
      """,
    ],
    rows: [],
    postgreSQL: [
      "CREATE SEQUENCE audit_sequence",
      "CREATE SEQUENCE outbox_number",
      "SELECT setval('outbox_number', (SELECT coalesce(max(number), 0) + 1 FROM outbox))",
      "CREATE TABLE audit_queue (sequence bigint PRIMARY KEY)",
      // Most of its rows are dead, whatever its size.
      "ALTER TABLE audit_queue SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)",
      // Hashes do not compress.
      "ALTER TABLE audit_tiles ALTER COLUMN hashes SET STORAGE EXTERNAL",
    ])
}

extension Migration {
  /// Finds the checkpoints of some days for a sweep, and the newest one that a witness cosigned, without reading all of
  /// them.
  static let datedCheckpoints = Migration(
    purpose: "checkpoints by time and by cosignature",
    statements: [
      "CREATE INDEX audit_checkpoints_signed ON audit_checkpoints (signed) WHERE cosigned = 0",
      "CREATE INDEX audit_checkpoints_cosigned ON audit_checkpoints (epoch, size) WHERE cosigned = 1",
    ], rows: [])
}

extension Migration {
  /// Finds the cosigned checkpoints of some days for a sweep.
  static let datedCosignatures = Migration(
    purpose: "cosigned checkpoints by time",
    statements: ["CREATE INDEX audit_checkpoints_evidence ON audit_checkpoints (signed) WHERE cosigned = 1"], rows: [])
}
