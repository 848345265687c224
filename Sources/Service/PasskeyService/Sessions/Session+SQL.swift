// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyStorage
internal import WebAuthnTypes

extension AccountSession {
  // A session is inserted without the time of its verification, which is then that of its creation, and without a removed
  // passkey.
  static let insertedColumns = "id, user_handle, credential, created, expiry, last_seen, renewal_end, browser, system"
  static let columns = "\(insertedColumns), verified, last_passkey_removed"
  static let columnCount = 11

  static let byID = "\(withAccount) WHERE sessions.id = $1"
  static let byToken = "\(withAccount) WHERE sessions.token = $1"

  /// Selects a session with its account.
  private static let withAccount = """
    SELECT sessions.id, sessions.user_handle, sessions.credential, sessions.created, sessions.expiry,
      sessions.last_seen, sessions.renewal_end, sessions.browser, sessions.system, sessions.verified,
      sessions.last_passkey_removed,
      \(Account.columns(of: "accounts"))
    FROM sessions JOIN accounts ON accounts.handle = sessions.user_handle
    """

  /// Decodes ``columns``, starting at column `start`.
  init(_ row: SQLRow, at start: Int = 0) throws(StorageError) {
    self.init(
      id: try row.fixed(start), user: try row.opaque(start + 1), credential: try row.opaque(start + 2),
      created: try row.time(start + 3), expiry: try row.time(start + 4), lastSeen: try row.time(start + 5),
      renewalEnd: try row.optionalTime(start + 6), verifiedAt: try row.optionalTime(start + 9))
    client = ClientSoftware(browser: try row.optionalText(start + 7), system: try row.optionalText(start + 8))
    lastPasskeyRemoved = try row.optionalTime(start + 10)
  }

  /// The time after which the session can be neither used nor renewed.
  var end: UnixTime { renewalEnd.map { max($0, expiry) } ?? expiry }
}

extension SessionOpening {
  /// The rows of the session and its refresh token. `number` orders an account's sessions.
  var insertions: [SQLInsertion] {
    let insertion = SQLInsertion(
      table: "sessions", columns: "\(AccountSession.insertedColumns), token, ending",
      values: [
        .fixed(session.id), .opaque(session.user), .opaque(session.credential), .time(session.created),
        .time(session.expiry), .time(session.lastSeen), .time(session.renewalEnd),
        .text(session.client?.browser), .text(session.client?.system), .fixed(token), .time(session.end),
      ], number: .next(within: "user_handle", .opaque(session.user)))
    return [insertion] + (refresh.map { (refresh) in [refresh.insertion] } ?? [])
  }
}

extension SessionOpening {
  /// Selects the account's sessions above the maximum once this one is open, all but the newest; nil without a maximum.
  var excessSessions: SQLStatement? {
    guard maximumCount < Int.max else { return nil }
    return SQLStatement(
      """
      SELECT id FROM sessions WHERE user_handle = $1 AND number <= (
        SELECT number FROM sessions WHERE user_handle = $1 ORDER BY number DESC LIMIT 1 OFFSET $2)
      """, [.opaque(session.user), .integer(Int64(clamping: maximumCount))])
  }
}

extension SQLWrite {
  /// Ends the sessions returned by ``SessionOpening/excessSessions`` and records each.
  func end(_ rows: [SQLRow], of opening: SessionOpening) throws(StorageError) {
    var drafts: [AuditDraft] = []
    for row in rows {
      let id: AccountSessionID = try row.fixed(0)
      try run(id.deletions)
      if let draft = opening.draft(id) { drafts.append(draft) }
    }
    try record(drafts)
  }
}

extension RefreshToken {
  static let columns = "digest, session, user_handle, expiry, spent, spent_at, spent_by"

  static let byDigest = "SELECT \(columns) FROM refresh_tokens WHERE digest = $1"

  init?(_ rows: [SQLRow]?) throws(StorageError) {
    guard let row = rows?.first else { return nil }
    self.init(
      digest: try row.fixed(0), session: try row.fixed(1), user: try row.opaque(2), expiry: try row.time(3),
      isSpent: try row.flag(4))
    spentAt = try row.optionalTime(5)
    spentBy = row.isNull(6) ? nil : Array(try row.bytes(6))
  }

  var insertion: SQLInsertion {
    SQLInsertion(
      table: "refresh_tokens", columns: "digest, session, user_handle, expiry, spent",
      values: [.fixed(digest), .fixed(session), .opaque(user), .time(expiry), .flag(isSpent)])
  }
}
