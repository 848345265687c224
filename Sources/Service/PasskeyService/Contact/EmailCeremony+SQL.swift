// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyStorage
internal import WebAuthnTypes

extension EmailCeremony {
  private static let columns =
    "id, purpose, token, account, email, decoy, payload, failed_attempts, created, not_before, expiry"

  static let byID = "SELECT \(columns) FROM email_ceremonies WHERE id = $1"
  static let byToken = "SELECT \(columns) FROM email_ceremonies WHERE token = $1"
  static let ofAccount = "SELECT \(columns) FROM email_ceremonies WHERE account = $1 ORDER BY created, id"

  init?(_ rows: [SQLRow]?) throws(StorageError) {
    guard let row = rows?.first else { return nil }
    try self.init(row)
  }

  init(_ row: SQLRow) throws(StorageError) {
    let email = try row.text(4)
    self.init(
      id: try row.fixed(0), purpose: try row.name(1), token: try row.fixed(2), account: try row.optionalHandle(3),
      email: try row.checked(4) { try EmailAddress(email) }, isDecoy: try row.flag(5), payload: Array(try row.bytes(6)),
      failedAttempts: Int(clamping: try row.integer(7)), created: try row.time(8), notBefore: try row.optionalTime(9),
      expiry: try row.time(10))
  }

  var insertion: SQLStatement {
    SQLStatement(
      """
      INSERT INTO email_ceremonies (\(Self.columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
      """,
      [
        .fixed(id), .text(purpose.rawValue), .fixed(token), .opaque(account), .text(email.text), .flag(isDecoy),
        .bytes(payload[...]), .integer(Int64(failedAttempts)), .time(created), .time(notBefore), .time(expiry),
      ])
  }

  /// Deletes the ceremony with this ID.
  static func removal(_ id: EmailCeremonyID) -> SQLStatement {
    SQLStatement("DELETE FROM email_ceremonies WHERE id = $1", [.fixed(id)])
  }

  /// Deletes the ceremonies of an account that have this purpose.
  static func removal(of account: UserHandle, _ purpose: Purpose) -> SQLStatement {
    SQLStatement(
      "DELETE FROM email_ceremonies WHERE account = $1 AND purpose = $2", [.opaque(account), .text(purpose.rawValue)])
  }

  /// Deletes the recovery codes that were mailed to an account. Codes of administrators have no waiting period.
  static func removalOfMailedCodes(of account: UserHandle) -> SQLStatement {
    SQLStatement("DELETE FROM codes WHERE account = $1 AND not_before IS NOT NULL", [.opaque(account)])
  }
}

extension SQLWrite {
  /// Returns the ceremony unless it has expired.
  func pendingEmail(_ id: EmailCeremonyID, at now: UnixTime) throws(StorageError) -> EmailCeremony? {
    guard let found = try EmailCeremony(rows(SQLStatement(EmailCeremony.byID, [.fixed(id)]))), now <= found.expiry
    else {
      return nil
    }
    return found
  }

  /// Stores a ceremony and its code, and writes its mail.
  func store(_ start: EmailCeremonyStart) throws(StorageError) {
    let ceremony = start.ceremony
    if ceremony.purpose == .addressChange, let account = ceremony.account {
      try run(EmailCeremony.removal(of: account, .addressChange))
    }
    try run(ceremony.insertion)
    if let code = start.code { try run(code.insertion) }
    let isAllowed = try countMail(start.limit)
    try record(isAllowed ? start.mail : start.mail.withoutNotices)
  }

  /// Counts a mail. Returns whether the limit allows it.
  func countMail(_ limit: MailLimit?) throws(StorageError) -> Bool {
    guard let limit else { return true }
    let row = try row(
      SQLStatement(
        """
        INSERT INTO mail_counts (email, mails, expiry) VALUES ($1, $2, $3)
        ON CONFLICT (email) DO UPDATE SET
          mails = CASE WHEN mail_counts.expiry < $4 THEN excluded.mails ELSE mail_counts.mails + excluded.mails END,
          expiry = CASE WHEN mail_counts.expiry < $4 THEN excluded.expiry ELSE mail_counts.expiry END
        RETURNING mails
        """, [.text(limit.key), .integer(1), .time(limit.end), .time(limit.time)]))
    guard let row else { throw StorageError(.failed, "a statement has no result") }
    return try row.integer(0) <= limit.maximumCount
  }
}
