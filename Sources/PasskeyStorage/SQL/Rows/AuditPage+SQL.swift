// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WebAuthnTypes

/// A page of audit rows in sequence order, not validated.
struct AuditPage {
  let records: [StoredAuditRecord]

  /// The details whose sequence numbers are in the page's range, even without a matching record.
  let details: [StoredPersonalDetail]

  /// The first sequence number of the next page; nil on the last page.
  let next: Int64?

  static let length = 500
}

extension SQLTransaction {
  /// Reads a page. Consecutive pages cover every row.
  func auditPage(from first: Int64) throws(StorageError) -> AuditPage {
    let rows = try rows(
      SQLStatement(
        "SELECT sequence, record, person, other FROM audit WHERE sequence >= $1 ORDER BY sequence LIMIT $2",
        [.integer(first), .integer(Int64(AuditPage.length))]))
    var records: [StoredAuditRecord] = []
    for row in rows {
      let indexKeys = AuditIndexKeys(
        sequence: try row.integer(0), person: try row.optionalHandle(2), other: try row.optionalHandle(3))
      records.append(StoredAuditRecord(indexKeys: indexKeys, encoded: try row.bytes(1)))
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

extension PersonalDetail {
  /// Decodes a detail whose name is in column `start`.
  init(_ row: SQLRow, at start: Int = 0) throws(StorageError) {
    self.init(
      name: try row.name(start), person: try row.optionalHandle(start + 1), salt: Array(try row.bytes(start + 2)),
      value: try row.utf8(start + 3))
  }
}
