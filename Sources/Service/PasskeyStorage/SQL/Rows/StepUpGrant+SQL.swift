// SPDX-License-Identifier: Apache-2.0

package import PasskeyService
internal import WebAuthnTypes

extension StepUpGrant {
  static let columns = "digest, user_handle, session, action, expiry, mismatches"

  init(_ row: SQLRow) throws(StorageError) {
    self.init(
      digest: try row.fixed(0), user: try row.opaque(1), session: try row.fixed(2),
      actionDigest: Array(try row.bytes(3)), expiry: try row.time(4),
      mismatchCount: Int(clamping: try row.integer(5)))
  }

  var insertion: SQLStatement {
    SQLStatement(
      "INSERT INTO grants (\(Self.columns)) VALUES ($1, $2, $3, $4, $5, $6)",
      [
        .fixed(digest), .opaque(user), .fixed(session), .bytes(actionDigest[...]), .time(expiry),
        .integer(Int64(mismatchCount)),
      ])
  }
}

extension GrantSpending {
  /// Deletes and returns the presented grant.
  var removal: SQLStatement {
    SQLStatement("DELETE FROM grants WHERE digest = $1 RETURNING \(StepUpGrant.columns)", [.fixed(digest)])
  }
}

extension SQLTransaction {
  /// Whether the action is allowed: it needs no grant, or the presented grant matches and is spent.
  package func spend(_ grant: GrantSpending?) throws(StorageError) -> Bool {
    guard let grant else { return true }
    guard let row = try row(grant.removal) else { return false }
    switch grant.judge(try StepUpGrant(row)) {
    case .accepted: break
    case .refused: return false
    case .kept(let kept):
      try run(kept.insertion)
      return false
    }
    guard grant.requiresAdministrator else { return true }
    return try isActingAdministrator(grant.user)
  }

  /// Whether the account is an acting administrator, as of this transaction.
  func isActingAdministrator(_ handle: UserHandle) throws(StorageError) -> Bool {
    try Account(rows(SQLStatement(Account.byHandle, [.opaque(handle)])))?.isActingAdministrator == true
  }
}
