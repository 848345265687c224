// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
package import PasskeyStorage
internal import WebAuthnTypes

extension StepUpGrant {
  static let columns = "digest, user_handle, session, action, expiry, mismatches, answer"

  init(_ row: SQLRow) throws(StorageError) {
    self.init(
      digest: try row.fixed(0), user: try row.opaque(1), session: try row.fixed(2),
      actionDigest: Array(try row.bytes(3)), expiry: try row.time(4),
      mismatchCount: Int(clamping: try row.integer(5)), answer: row.isNull(6) ? nil : Array(try row.bytes(6)))
  }

  var insertion: SQLStatement {
    SQLStatement(
      "INSERT INTO grants (\(Self.columns)) VALUES ($1, $2, $3, $4, $5, $6, $7)",
      [
        .fixed(digest), .opaque(user), .fixed(session), .bytes(actionDigest[...]), .time(expiry),
        .integer(Int64(mismatchCount)), answer.map { (answer) in .bytes(answer[...]) } ?? .null,
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
    guard try present(grant) == .accepted else { return false }
    guard grant.requiresAdministrator else { return true }
    return try isActingAdministrator(grant.user)
  }

  /// Deletes the presented grant, unless it remains.
  func present(_ grant: GrantSpending) throws(StorageError) -> GrantSpending.Judgment {
    guard let row = try row(grant.removal) else { return .refused }
    let judgment = grant.judge(try StepUpGrant(row))
    switch judgment {
    case .accepted, .refused: break
    case .kept(let kept), .repeated(let kept, _): try run(kept.insertion)
    }
    return judgment
  }

  /// Keeps the answer of an action with the grant that it has spent.
  func keep(_ answer: [UInt8], of grant: GrantSpending, until end: UnixTime) throws(StorageError) {
    try run(
      StepUpGrant(
        digest: grant.digest, user: grant.user, session: grant.session, actionDigest: grant.actionDigest, expiry: end,
        answer: answer
      ).insertion)
  }

  /// Whether the account is an acting administrator, as of this transaction.
  func isActingAdministrator(_ handle: UserHandle) throws(StorageError) -> Bool {
    try Account(rows(SQLStatement(Account.byHandle, [.opaque(handle)])))?.isActingAdministrator == true
  }
}
