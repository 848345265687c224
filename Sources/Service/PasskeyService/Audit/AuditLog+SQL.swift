// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyStorage
internal import PasskeyTransparencyLog

/// A transaction that reads the audit log.
struct SQLAuditLog<Transaction: SQLTransaction>: AuditLogReading {
  let transaction: Transaction
  let dialect: SQLDialect

  func logs() throws(StorageError) -> [AuditLog] {
    var logs: [AuditLog] = []
    let statement = SQLStatement("SELECT epoch, origin, verifier FROM audit_logs ORDER BY epoch")
    for row in try transaction.rows(statement) {
      logs.append(AuditLog(epoch: try row.integer(0), origin: try row.text(1), verifier: try row.text(2)))
    }
    return logs
  }

  func checkpoints(
    of epoch: Int64, from size: UInt64, limit: Int
  ) throws(StorageError) -> [StoredCheckpoint] {
    var checkpoints: [StoredCheckpoint] = []
    let statement = SQLStatement(
      """
      SELECT epoch, size, signed, cosigned, note FROM audit_checkpoints WHERE epoch = $1 AND size >= $2
      ORDER BY size LIMIT $3
      """, [.integer(epoch), .count(size), .integer(Int64(clamping: limit))])
    for row in try transaction.rows(statement) { checkpoints.append(try StoredCheckpoint(row)) }
    return checkpoints
  }

  func newestCheckpoint(of epoch: Int64, isCosigned: Bool) throws(StorageError) -> StoredCheckpoint? {
    let row = try transaction.row(
      SQLStatement(
        """
        SELECT epoch, size, signed, cosigned, note FROM audit_checkpoints
        WHERE epoch = $1 \(isCosigned ? "AND cosigned = 1" : "") ORDER BY size DESC LIMIT 1
        """, [.integer(epoch)]))
    return try row.map { (row) throws(StorageError) in try StoredCheckpoint(row) }
  }

  func lastAnnouncement() throws(StorageError) -> UnixTime? {
    try transaction.row(SQLStatement("SELECT through FROM announcements WHERE id = 2"))?.time(0)
  }

  func observedCheckpoint(by observer: String) throws(StorageError) -> ObservedCheckpoint? {
    let row = try transaction.row(
      SQLStatement("SELECT epoch, size FROM audit_witnesses WHERE verifier = $1", [.text(observer)]))
    return try row.map { (row) throws(StorageError) in
      ObservedCheckpoint(observer: observer, epoch: try row.integer(0), size: try row.count(1))
    }
  }

  func observedCheckpoints() throws(StorageError) -> [ObservedCheckpoint] {
    let statement = SQLStatement("SELECT verifier, epoch, size FROM audit_witnesses ORDER BY verifier")
    return try transaction.rows(statement).map { (row) throws(StorageError) in
      ObservedCheckpoint(observer: try row.text(0), epoch: try row.integer(1), size: try row.count(2))
    }
  }

  func tiles(_ positions: [TilePosition], of epoch: Int64) throws(StorageError) -> [Tile] {
    let statements = positions.map { (position) in
      SQLStatement(
        "SELECT hashes FROM audit_tiles WHERE epoch = $1 AND level = $2 AND tile = $3",
        [.integer(epoch), .integer(Int64(position.level)), .count(position.index)])
    }
    guard !statements.isEmpty else { return [] }
    var tiles: [Tile] = []
    for (position, rows) in zip(positions, try transaction.batch(statements)) {
      guard let row = rows.first else { continue }
      if let tile = try? Tile(position, bytes: row.bytes(0)) { tiles.append(tile) }
    }
    return tiles
  }

  func hasWaiting(in epoch: Int64, from size: UInt64) throws(StorageError) -> Bool {
    // The beginning of an epoch on SQLite has placed the records that waited before it.
    let placed = Self.firstPlaced(in: epoch, from: size)
    return try transaction.batch([dialect.firstWaiting, placed]).contains { !$0.isEmpty }
  }

  /// Selects one row if a record has this position or a higher one.
  ///
  /// The order is that of the index: otherwise PostgreSQL plans to read the whole table, because it expects a third of all
  /// positions to be higher.
  static func firstPlaced(in epoch: Int64, from size: UInt64) -> SQLStatement {
    SQLStatement(
      "SELECT 1 FROM audit_positions WHERE epoch = $1 AND position >= $2 ORDER BY position LIMIT 1",
      [.integer(epoch), .count(size)])
  }

  func places(of numbers: [Int64]) throws(StorageError) -> [AuditPlace?] {
    guard !numbers.isEmpty else { return [] }
    let statements = numbers.map { (number) in
      SQLStatement("SELECT epoch, position FROM audit_positions WHERE sequence = $1", [.integer(number)])
    }
    var places: [AuditPlace?] = []
    for rows in try transaction.batch(statements) {
      places.append(
        try rows.first.map { (row) throws(StorageError) in
          AuditPlace(epoch: try row.integer(0), position: try row.count(1))
        })
    }
    return places
  }

  func number(of id: AuditRecordID) throws(StorageError) -> Int64? {
    let statement = SQLStatement(
      "SELECT sequence, record FROM audit WHERE \(dialect.containsCondition("record", "$1")) ORDER BY sequence",
      [.fixed(id)])
    for row in try transaction.rows(statement) {
      // The bytes of the ID may also occur elsewhere in a record.
      if try AuditEntry(row, details: []).record.id == id { return try row.integer(0) }
    }
    return nil
  }

  func lastNumber() throws(StorageError) -> Int64 {
    try transaction.row(SQLStatement("SELECT coalesce(max(sequence), 0) FROM audit"))?.integer(0) ?? 0
  }

  func entry(_ number: Int64) throws(StorageError) -> AuditEntry? {
    let record = SQLStatement("SELECT sequence, record FROM audit WHERE sequence = $1", [.integer(number)])
    let rows = try transaction.batch([record, AuditEntry.details(of: number)])
    guard let row = rows.first?.first else { return nil }
    return try AuditEntry(row, details: rows.last ?? [])
  }

  func leaves(of epoch: Int64, from position: UInt64, limit: Int) throws(StorageError) -> [StoredLeaf] {
    let statement = SQLStatement(
      """
      SELECT audit_positions.position, audit_positions.sequence, audit.record FROM audit_positions
      LEFT JOIN audit ON audit.sequence = audit_positions.sequence
      WHERE audit_positions.epoch = $1 AND audit_positions.position >= $2
      ORDER BY audit_positions.position LIMIT $3
      """, [.integer(epoch), .count(position), .integer(Int64(clamping: limit))])
    var leaves: [StoredLeaf] = []
    for row in try transaction.rows(statement) {
      leaves.append(
        StoredLeaf(
          position: try row.count(0), number: try row.integer(1), encoded: row.isNull(2) ? nil : try row.bytes(2)))
    }
    return leaves
  }

  func page(from number: Int64) throws(StorageError) -> AuditPage {
    try transaction.auditPage(from: number, dialect)
  }
}

extension SQLAuditLog: AuditLogWriting where Transaction: SQLWrite {
  func placeWaiting(in epoch: Int64, from size: UInt64, limit: Int) throws(StorageError) -> [Bytes] {
    try transaction.run(dialect.placement(in: epoch, from: .count(size), limit: limit))
    let leaves = try leaves(of: epoch, from: size, limit: .max)
    var records: [Bytes] = []
    for leaf in leaves {
      guard leaf.position == size + UInt64(records.count), let record = leaf.encoded else {
        throw StorageError(.corrupt, "no record at position \(size + UInt64(records.count)) of the audit log")
      }
      records.append(record)
    }
    return records
  }

  func write(_ tiles: [Tile], of epoch: Int64) throws(StorageError) {
    for tile in tiles {
      try transaction.run(
        SQLStatement(
          """
          INSERT INTO audit_tiles (epoch, level, tile, hashes) VALUES ($1, $2, $3, $4)
          ON CONFLICT (epoch, level, tile) DO UPDATE SET hashes = excluded.hashes
          """,
          [
            .integer(epoch), .integer(Int64(tile.position.level)), .count(tile.position.index), .bytes(tile.bytes),
          ]))
    }
  }

  func write(_ checkpoint: StoredCheckpoint) throws(StorageError) {
    try transaction.run(
      SQLStatement(
        """
        INSERT INTO audit_checkpoints (epoch, size, signed, cosigned, note) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (epoch, size) DO UPDATE SET cosigned = excluded.cosigned, note = excluded.note
        """,
        [
          .integer(checkpoint.epoch), .count(checkpoint.size), .time(checkpoint.signed), .flag(checkpoint.isCosigned),
          .bytes(checkpoint.note),
        ]))
  }

  func write(_ observed: ObservedCheckpoint) throws(StorageError) {
    try transaction.run(
      SQLStatement(
        """
        INSERT INTO audit_witnesses (verifier, epoch, size) VALUES ($1, $2, $3)
        ON CONFLICT (verifier) DO UPDATE SET epoch = excluded.epoch, size = excluded.size
        """, [.text(observed.observer), .integer(observed.epoch), .count(observed.size)]))
  }

  func announce(_ notices: [RoutedNotice], at time: UnixTime) throws(StorageError) {
    try transaction.enqueue(notices)
    // The row 1 belongs to sessions that end soon.
    try transaction.run(
      SQLStatement(
        """
        INSERT INTO announcements (id, through) VALUES (2, $1)
        ON CONFLICT (id) DO UPDATE SET through = excluded.through
        """, [.time(time)]))
  }

  /// Writes an epoch with its first record, tile and checkpoint, and gives the waiting records the next positions.
  func begin(_ beginning: AuditLogBeginning) throws(StorageError) {
    let log = beginning.log
    try transaction.run(
      SQLStatement(
        "INSERT INTO audit_logs (epoch, origin, verifier) VALUES ($1, $2, $3)",
        [.integer(log.epoch), .text(log.origin), .text(log.verifier)]))
    try transaction.record([beginning.record])
    try transaction.run(dialect.placementOfFirst(in: log.epoch))
    try write([beginning.tile], of: log.epoch)
    try write(beginning.checkpoint)
  }
}

extension StoredCheckpoint {
  init(_ row: SQLRow) throws(StorageError) {
    self.init(
      epoch: try row.integer(0), size: try row.count(1), signed: try row.time(2), isCosigned: try row.flag(3),
      note: try row.bytes(4))
  }
}

extension SQLValue {
  /// A number of the log, which ``/PasskeyTransparencyLog/TreeSize/maximum`` limits.
  static func count(_ count: UInt64) -> Self { .integer(Int64(clamping: count)) }
}

extension SQLRow {
  func count(_ column: Int) throws(StorageError) -> UInt64 {
    guard let count = UInt64(exactly: try integer(column)) else { throw unexpected(column) }
    return count
  }
}
