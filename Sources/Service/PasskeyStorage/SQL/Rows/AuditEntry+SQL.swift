// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
package import PasskeyService
internal import WebAuthnTypes

extension SQLWrite {
  /// Appends the drafts to the audit trail and returns the statements that store them and write their notices.
  func seal(_ drafts: [AuditDraft]) throws(StorageError) -> [SQLStatement] {
    guard !drafts.isEmpty else { return [] }
    var form = try auditForm()
    var statements: [SQLStatement] = []
    for draft in drafts {
      let (entry, insertions) = form.append(draft)
      statements += insertions
      guard !draft.notices.isEmpty else { continue }
      statements += draft.routedNotices(of: entry.record).flatMap { $0.insertions(form.outboxNumber).map(\.statement) }
      writesNotices = true
    }
    setAuditForm(form)
    return statements
  }

  /// Appends the drafts to the audit trail and stores them.
  package func record(_ drafts: [AuditDraft]) throws(StorageError) {
    try run(seal(drafts))
  }

  /// Writes the end of a chain, which a batch otherwise writes once at its end, for statements of this transaction that read
  /// it.
  func writeAuditEnd() throws(StorageError) {
    if case .chain(let end) = try auditForm() { try run(end.update) }
  }
}

extension AuditForm {
  /// Appends a draft and returns its record with the statements that store it.
  fileprivate mutating func append(_ draft: AuditDraft) -> (AuditEntry, [SQLStatement]) {
    switch self {
    case .chain(var end):
      let entry = end.append(draft)
      self = .chain(end)
      return (entry, entry.insertions)
    case .log(.counted(let last)):
      let entry = draft.logged(as: last &+ 1)
      self = .log(.counted(last: last &+ 1))
      return (entry, entry.insertions)
    case .log(.drawn):
      let entry = draft.logged(as: 0)
      return (entry, [entry.drawingInsertion])
    }
  }
}

extension AuditEntry {
  /// A statement for PostgreSQL that draws the number of the record, stores it with its details, and queues it for its
  /// position in the log.
  fileprivate var drawingInsertion: SQLStatement {
    var changes = SQLChanges()
    changes.insert(self)
    return changes.statement
  }

  /// Statements that store the record and its details. The record is indexed by the account concerned, and by the actor
  /// if that is another account.
  fileprivate var insertions: [SQLStatement] {
    let indexKeys = record.indexKeys
    let insertion = SQLStatement(
      "INSERT INTO audit (sequence, record, person, other) VALUES ($1, $2, $3, $4)",
      [
        .integer(indexKeys.sequence), .bytes(record.encoded[...]), .opaque(indexKeys.person), .opaque(indexKeys.other),
      ])
    return [insertion]
      + personalDetails.enumerated().map { (place, detail) in
        SQLStatement(
          """
          INSERT INTO personal_details (sequence, place, recorded, name, person, salt, content, apart)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
          """,
          [.integer(record.sequence), .integer(Int64(place)), .time(record.time)] + detail.columns(of: record))
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

extension AuditEnd {
  /// Reads the row with the end of the chain, which always exists.
  package static let selection = "SELECT sequence, hash, seal FROM audit_head WHERE id = 1"

  package init(_ row: SQLRow?) throws(StorageError) {
    guard let row else { throw StorageError(.corrupt, "the end of the audit trail is missing") }
    self.init(
      head: AuditHead(sequence: try row.integer(0), hash: Array(try row.bytes(1))),
      seal: row.isNull(2) ? .missing : .tag(Array(try row.bytes(2))))
  }

  package var update: SQLStatement {
    let tag: SQLValue = if case .tag(let tag) = seal { .bytes(tag[...]) } else { .null }
    return SQLStatement(
      "UPDATE audit_head SET sequence = $1, hash = $2, seal = $3 WHERE id = 1",
      [.integer(head.sequence), .bytes(head.hash[...]), tag])
  }
}
