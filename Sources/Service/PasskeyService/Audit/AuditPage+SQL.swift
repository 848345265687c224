// SPDX-License-Identifier: Apache-2.0

internal import PasskeyStorage
internal import WebAuthnTypes

extension SQLTransaction {
  /// Reads a page. Consecutive pages cover every row.
  func auditPage(from first: Int64, _ dialect: SQLDialect) throws(StorageError) -> AuditPage {
    let rows = try rows(
      SQLStatement(
        """
        SELECT audit.sequence, record, person, other, epoch, position, \(dialect.isWaiting)
        FROM audit LEFT JOIN audit_positions ON audit_positions.sequence = audit.sequence
        WHERE audit.sequence >= $1 ORDER BY audit.sequence LIMIT $2
        """,
        [.integer(first), .integer(Int64(AuditPage.length))]))
    var records: [StoredAuditRecord] = []
    for row in rows {
      let indexKeys = AuditIndexKeys(
        sequence: try row.integer(0), person: try row.optionalHandle(2), other: try row.optionalHandle(3))
      let placement: AuditPlacement =
        if !row.isNull(4) {
          .placed(AuditPlace(epoch: try row.integer(4), position: try row.count(5)))
        } else {
          try row.flag(6) ? .waiting : .none
        }
      records.append(
        StoredAuditRecord(indexKeys: indexKeys, encoded: try row.bytes(1), placement: placement))
    }
    // The last page also covers all details after its last record.
    let isLast = records.count < AuditPage.length
    let last = isLast ? .max : records.last?.indexKeys.sequence ?? .max
    var details: [StoredPersonalDetail] = []
    for row in try self.rows(
      SQLStatement(
        """
        SELECT sequence, recorded, apart, name, person, salt, content FROM personal_details
        WHERE sequence >= $1 AND sequence <= $2 ORDER BY sequence, place
        """, [.integer(first), .integer(last)]))
    {
      details.append(
        StoredPersonalDetail(
          sequence: try row.integer(0), detail: try PersonalDetail(row, at: 3), recorded: try row.time(1),
          isFoundByRecord: try !row.flag(2)))
    }
    return AuditPage(records: records, details: details, next: last == .max ? nil : last + 1)
  }
}

extension AuditPage {
  static let length = 500
}

extension PersonalDetail {
  /// Decodes a detail whose name is in column `start`.
  init(_ row: SQLRow, at start: Int = 0) throws(StorageError) {
    self.init(
      name: try row.name(start), person: try row.optionalHandle(start + 1), salt: Array(try row.bytes(start + 2)),
      value: try row.utf8(start + 3))
  }
}
