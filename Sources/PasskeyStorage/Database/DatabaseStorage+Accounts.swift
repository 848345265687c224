// SPDX-License-Identifier: Apache-2.0

public import PasskeyService
public import WebAuthnTypes

extension DatabaseStorage {
  /// Returns the account with this user handle, or nil.
  public func account(_ handle: UserHandle) async throws(StorageError) -> Account? {
    try await database.find { (transaction) throws(StorageError) in
      try Account(transaction.rows(SQLStatement(Account.byHandle, [.opaque(handle)])))
    }
  }

  /// Returns the account with this email address, or nil. Reads the sentinel row on a miss, so that both cases cost the
  /// same.
  public func account(email: EmailAddress) async throws(StorageError) -> Account? {
    try await database.find { (transaction) throws(StorageError) in
      try Account(orSentinel: transaction.rows(SQLStatement(Account.byEmailOrSentinel, [.text(email.text)])))
    }
  }

  /// Returns the account with this email address and the descriptors of its enabled passkeys, the newest `limit` of
  /// them. Reads as many rows on a miss as for an account with `standInCount` passkeys.
  public func candidate(
    email: EmailAddress, limit: Int, standInCount: Int
  ) async throws(StorageError) -> SignInCandidate? {
    let statement = SQLStatement(
      Account.candidateByEmail, [.text(email.text), .integer(Int64(clamping: standInCount))])
    return try await database.find { (transaction) throws(StorageError) in
      let rows = try transaction.rows(statement)
      var numbered: [(number: Int64, row: SQLRow)] = []
      for row in rows where !row.isNull(Account.columnCount) {
        numbered.append((try row.integer(Account.columnCount + 1), row))
      }
      numbered.sort { (one, other) in one.number < other.number }
      // Decode the sentinel's records too, then discard them, so that a hit and a miss cost the same.
      var credentials: [CredentialDescriptor] = []
      for (_, row) in numbered.suffix(limit) {
        let bytes = try row.bytes(Account.columnCount)
        let record = try row.checked(Account.columnCount) { try CredentialRecord(parsing: bytes) }
        if try !row.flag(Account.columnCount + 2) { credentials.append(record.descriptor) }
      }
      // An account without enabled passkeys has a row of its own, in addition to the sentinel's rows.
      var own: SQLRow?
      for row in rows where own == nil {
        if try !row.flag(Account.columnCount + 2) { own = row }
      }
      guard let row = own ?? rows.first else { return nil }
      let account = try Account(row)
      return own != nil ? SignInCandidate(account: account, credentials: credentials) : nil
    }
  }

  /// Returns at most `limit` accounts, ordered by handle, starting after `handle`.
  public func accounts(
    after handle: UserHandle?, state: Account.State?, limit: Int
  ) async throws(StorageError) -> [Account] {
    // A handle has at least one byte, so the empty value sorts before every handle.
    let start: [SQLValue] = [handle.map { .opaque($0) } ?? .bytes([]), .integer(Int64(clamping: limit))]
    let condition = state == nil ? "" : "AND state = $3"
    let statement = SQLStatement(
      "SELECT \(Account.columns) FROM accounts WHERE handle > $1 \(condition) ORDER BY handle LIMIT $2",
      start + (state.map { (state) in [.text(state.rawValue)] } ?? []))
    return try await database.read { (transaction) throws(StorageError) in
      var accounts: [Account] = []
      for row in try transaction.rows(statement) { accounts.append(try Account(row)) }
      return accounts
    }
  }

  /// Creates an account without a passkey, and stores its one-time code if one is given.
  public func create(
    _ account: Account, code: IssuedCode?, spending grant: GrantSpending?, audit: [AuditDraft]
  ) async throws(StorageError) -> AccountCreationOutcome {
    try await database.write(.serial) { (transaction) throws(StorageError) in
      try transaction.perform(spending: grant, audit) { () throws(StorageError) in
        guard try transaction.row(SQLStatement(Account.byEmail, [.text(account.email.text)])) == nil else {
          return .emailTaken
        }
        try transaction.run(account.insertion)
        if let code { try transaction.run(code.insertions) }
        return .created
      }
    }
  }

  /// Applies a change to an account. Disabling it also deletes its sessions, pending ceremonies, grants and codes.
  /// Refuses to remove the last administrator.
  public func change(
    _ handle: UserHandle, _ change: AccountChange, spending grant: GrantSpending?, audit: [AuditDraft]
  ) async throws(StorageError) -> AccountChangeOutcome {
    let outcome = try await database.write(.serial) { (transaction) throws(StorageError) -> AccountChangeOutcome in
      try transaction.perform(spending: grant, audit) { () throws(StorageError) in
        guard let account = try Account(transaction.rows(SQLStatement(Account.byHandle, [.opaque(handle)]))) else {
          return .unknown
        }
        guard let changed = change.applied(to: account) else { return .stateConflict }
        if change.removesAdministrator(account), try transaction.row(account.otherAdministrator) == nil {
          return .lastAdministrator
        }
        try transaction.run(changed.update)
        if changed.state == .disabled {
          try transaction.run(account.handle.deletions)
          try transaction.run(SQLStatement("DELETE FROM codes WHERE account = $1", [.opaque(handle)]))
        }
        return .changed(changed)
      }
    }
    if case .changed(let account) = outcome, account.state == .disabled { recent?.forget(of: handle) }
    return outcome
  }

  /// Erases an account with its passkeys, sessions, devices, codes and personal details. Refuses to erase the last
  /// administrator.
  public func erase(
    _ handle: UserHandle, spending grant: GrantSpending?, audit: [AuditDraft]
  ) async throws(StorageError) -> AccountErasureOutcome {
    let begun = "DELETE FROM ceremonies WHERE \(database.containsCondition("payload", "$1"))"
    let (outcome, mark) = try await database.write(.serial) {
      [embedded] (transaction) throws(StorageError) -> (AccountErasureOutcome, [UInt8]) in
      var erased: Account?
      let outcome = try transaction.perform(spending: grant, audit) {
        () throws(StorageError) -> AccountErasureOutcome in
        guard let account = try Account(transaction.rows(SQLStatement(Account.byHandle, [.opaque(handle)]))) else {
          return .unknown
        }
        if account.isActingAdministrator, try transaction.row(account.otherAdministrator) == nil {
          return .lastAdministrator
        }
        erased = account
        return .erased
      }
      // Runs after the audit record is written, so that the record's own personal details are erased too.
      guard let erased else { return (outcome, []) }
      let mark = PendingCeremony.mark(of: erased.email)
      try transaction.run(erased.erasures)
      try transaction.run(embedded.erasure.map { (statement) in SQLStatement(statement, [.opaque(handle)]) })
      try transaction.run(SQLStatement(begun, [.bytes(mark[...])]))
      try transaction.run(.markScrubDue)
      return (outcome, mark)
    }
    if outcome == .erased {
      recent?.forget(of: handle, and: mark)
      await database.scrub()
    }
    return outcome
  }
}

extension UserHandle {
  /// Statements that delete the account's sessions, refresh tokens, grants and pending ceremonies.
  fileprivate var deletions: [SQLStatement] {
    ["sessions", "refresh_tokens", "grants", "ceremonies"].map { (table) in
      SQLStatement("DELETE FROM \(table) WHERE user_handle = $1", [.opaque(self)])
    }
  }
}

extension Account {
  /// Statements that delete every row about the account except audit records. They also delete its email address from
  /// personal details that were recorded before the account existed.
  fileprivate var erasures: [SQLStatement] {
    handle.deletions + [
      SQLStatement("DELETE FROM passkeys WHERE user_handle = $1", [.opaque(handle)]),
      SQLStatement("DELETE FROM devices WHERE user_handle = $1", [.opaque(handle)]),
      SQLStatement("DELETE FROM codes WHERE account = $1", [.opaque(handle)]),
      SQLStatement("DELETE FROM codes WHERE email = $1", [.text(email.text)]),
      SQLStatement("DELETE FROM personal_details WHERE apart = 1 AND person = $1", [.opaque(handle)]),
      SQLStatement(
        """
        DELETE FROM personal_details WHERE person = $1 AND sequence IN (
          SELECT sequence FROM audit WHERE person = $1 UNION ALL SELECT sequence FROM audit WHERE other = $1)
        """, [.opaque(handle)]),
      SQLStatement("DELETE FROM personal_details WHERE name = 'email' AND content = $1", [.utf8(email.text)]),
      SQLStatement("DELETE FROM accounts WHERE handle = $1", [.opaque(handle)]),
    ]
  }
}
