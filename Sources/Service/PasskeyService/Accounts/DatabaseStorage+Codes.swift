// SPDX-License-Identifier: Apache-2.0

package import PasskeyStorage
internal import WebAuthnTypes

extension DatabaseStorage {
  /// Stores a code. A code for an account replaces the account's earlier ones, and ends a recovery by mail.
  package func issue(
    _ code: IssuedCode, spending grant: GrantSpending?, audit: [AuditDraft]
  ) async throws(StorageError) -> Result<Void, ServiceError> {
    let account = code.account.map { (handle) in LockedObject.account(handle) }
    let order = WriteOrder.objects([account].compactMap(\.self), spending: grant, recording: audit)
    return try await write(order) { (transaction) throws(StorageError) in
      try transaction.perform(spending: grant, audit) { () throws(StorageError) in
        if let account = code.account, try transaction.row(SQLStatement(Account.byHandle, [.opaque(account)])) == nil {
          return .refused(.accountUnknown)
        }
        try transaction.run(code.insertions)
        return .success(())
      }
    }
  }

  /// Returns the code with this hash, even if it has expired. A registration spends it
  /// (``DatabaseStorage/register(_:)``).
  package func code(_ digest: TokenDigest) async throws(StorageError) -> IssuedCode? {
    try await database.find { (transaction) throws(StorageError) in
      try IssuedCode(transaction.rows(SQLStatement(IssuedCode.byDigest, [.fixed(digest)])))
    }
  }
}

extension IssuedCode {
  static let columns = "digest, purpose, account, email, roles, created, expiry, not_before, issuer"

  static let byDigest = "SELECT \(columns) FROM codes WHERE digest = $1"

  init?(_ rows: [SQLRow]?) throws(StorageError) {
    guard let row = rows?.first else { return nil }
    let email = row.isNull(3) ? nil : try row.text(3)
    self.init(
      digest: try row.fixed(0), purpose: try row.name(1), account: try row.optionalHandle(2),
      email: try row.checked(3) { try email.map { try EmailAddress($0) } }, roles: try row.roles(4),
      issuer: try row.optionalHandle(8), created: try row.time(5), notBefore: try row.optionalTime(7),
      expiry: try row.time(6))
  }

  /// A statement that deletes the codes that an administrator issued, whose role ends.
  static func removal(issuedBy administrator: UserHandle) -> SQLStatement {
    SQLStatement("DELETE FROM codes WHERE issuer = $1", [.opaque(administrator)])
  }

  var insertion: SQLStatement {
    SQLStatement(
      "INSERT INTO codes (\(Self.columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
      [
        .fixed(digest), .text(purpose.rawValue), .opaque(account), email.map { .text($0.text) } ?? .null,
        .roles(roles), .time(created), .time(expiry), .time(notBefore), .opaque(issuer),
      ])
  }

  /// Statements that store the code. A code for an account replaces the account's earlier codes, and ends a
  /// recovery by mail.
  var insertions: [SQLStatement] {
    guard let account else { return [insertion] }
    return [
      SQLStatement("DELETE FROM codes WHERE account = $1", [.opaque(account)]),
      EmailCeremony.removal(of: account, .recovery), insertion,
    ]
  }
}
