// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
package import PasskeyStorage
internal import WebAuthnTypes

extension SQLWrite {
  /// Returns the statements that append the drafts to the audit trail and write their notices.
  func statements(appending drafts: [AuditDraft]) -> [SQLStatement] {
    drafts.flatMap { (draft) in
      let entry = draft.logged()
      let insertions = dialect.insertions(of: entry)
      guard !draft.notices.isEmpty else { return insertions }
      writesNotices = true
      return insertions
        + draft.routedNotices(of: entry.record).flatMap { (notice) in
          notice.insertions(dialect.outboxNumber).map(\.statement)
        }
    }
  }

  /// Appends audit records, and writes their notices.
  package func record(_ drafts: [AuditDraft]) throws(StorageError) {
    try run(statements(appending: drafts))
  }
}

extension SQLDialect {
  /// Statements that number a record and store it with its details. The record is indexed by the account concerned, and by
  /// the actor if that is another account.
  ///
  /// SQLite has one writer, so a record gets the number after the last one, which is never used again, even if an attacker
  /// removes records. PostgreSQL draws the number from a sequence and queues the record for its position in the log.
  fileprivate func insertions(of entry: AuditEntry) -> [SQLStatement] {
    guard self == .postgreSQL else { return entry.insertions }
    var changes = SQLChanges()
    changes.insert(entry)
    return [changes.statement]
  }
}

extension AuditEntry {
  /// Statements of SQLite that store the record and its details.
  fileprivate var insertions: [SQLStatement] {
    let keys = record.indexKeys
    let insertion = SQLStatement(
      """
      INSERT INTO audit (sequence, record, person, other) VALUES (
        1 + max(coalesce((SELECT max(sequence) FROM audit), 0), \(SQLDialect.lastPlaced)), $1, $2, $3)
      """,
      [.bytes(record.encoded[...]), .opaque(keys.person), .opaque(keys.other)])
    return [insertion]
      + personalDetails.enumerated().map { (place, detail) in
        SQLStatement(
          """
          INSERT INTO personal_details (sequence, place, recorded, name, person, salt, content, apart)
          VALUES ((SELECT max(sequence) FROM audit), $1, $2, $3, $4, $5, $6, $7)
          """,
          [.integer(Int64(place)), .time(record.time)] + detail.columns(of: record))
      }
  }

  /// Selects records after a sequence number, sorted by it, optionally only those of one account.
  static func records(after sequence: Int64, of account: UserHandle?, limit: Int) -> SQLStatement {
    let start: [SQLValue] = [.integer(sequence), .integer(Int64(clamping: limit))]
    guard let account else {
      return SQLStatement("SELECT sequence, record FROM audit WHERE sequence > $1 ORDER BY sequence LIMIT $2", start)
    }
    // Uses two indexes, each read only up to the limit.
    return SQLStatement(
      """
      SELECT sequence, record FROM (
        SELECT * FROM (
          SELECT sequence, record FROM audit WHERE person = $3 AND sequence > $1 ORDER BY sequence LIMIT $2) AS own
        UNION ALL
        SELECT * FROM (
          SELECT sequence, record FROM audit WHERE other = $3 AND sequence > $1 ORDER BY sequence LIMIT $2) AS others
      ) AS found ORDER BY sequence LIMIT $2
      """,
      start + [.opaque(account)])
  }

  /// Selects the remaining personal details of a record.
  static func details(of sequence: Int64) -> SQLStatement {
    SQLStatement(
      "SELECT name, person, salt, content FROM personal_details WHERE sequence = $1 ORDER BY place",
      [.integer(sequence)])
  }

  /// Decodes a record and its personal details.
  init(_ row: SQLRow, details: [SQLRow]) throws(StorageError) {
    let (number, bytes) = (try row.integer(0), try row.bytes(1))
    var personalDetails: [PersonalDetail] = []
    for detail in details {
      personalDetails.append(try PersonalDetail(detail))
    }
    self.init(
      record: try row.checked(1) { try AuditRecord(parsing: bytes, number: number) },
      personalDetails: personalDetails)
  }
}

extension PersonalDetail {
  /// The name, the person, the salt, the value, and whether the record does not lead to the person.
  func columns(of record: AuditRecord) -> [SQLValue] {
    [
      .text(name.rawValue), .opaque(person), .bytes(salt[...]), .utf8(value),
      .flag(person.map { $0 != record.account && $0 != record.actor } ?? false),
    ]
  }
}
