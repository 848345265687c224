// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import PasskeyStorage
package import WebAuthnTypes

extension DatabaseStorage {
  /// Returns the account with this handle.
  package func account(_ handle: UserHandle) async throws(StorageError) -> Account? {
    try await database.find { (transaction) throws(StorageError) in
      try Account(transaction.rows(SQLStatement(Account.byHandle, [.opaque(handle)])))
    }
  }

  /// Returns the account with this name.
  package func account(_ name: AccountName) async throws(StorageError) -> Account? {
    try await database.find { (transaction) throws(StorageError) in
      try Account(orSentinel: transaction.rows(SQLStatement(name.queries.orSentinel, [name.parameter])))
    }
  }

  /// Finds an account and the credentials to offer.
  ///
  /// If no account has the name, or its account has no such credential, a database reads `standInCount` stand-ins
  /// and discards them, so that timing does not reveal whether the account exists.
  ///
  /// - Parameters:
  ///   - name: The name of the account.
  ///   - limit: The maximum number of credentials.
  ///   - standInCount: The number of stand-ins to read if there are no credentials.
  /// - Returns: The account and the newest of its credentials that are not disabled, sorted by creation; nil if no account
  ///   has the name.
  /// - Throws: A ``StorageError`` if the store fails.
  package func candidate(
    _ name: AccountName, limit: Int, standInCount: Int
  ) async throws(StorageError) -> SignInCandidate? {
    let statement = SQLStatement(
      name.queries.candidate, [name.parameter, .integer(Int64(clamping: standInCount))])
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
        let record = try row.checked(Account.columnCount) { try CredentialRecord(parsing: [UInt8](bytes)) }
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

  /// Lists accounts in the order of the filter (``Account/Filter/order``). With a prefix (``Account/Filter/prefix``),
  /// lists those whose address begins with it, by ascending bytes of their addresses, then the others whose user name
  /// does, by ascending bytes of the names' keys: a database finds them in an index, however many accounts there are.
  ///
  /// - Parameters:
  ///   - handle: The handle of the account after which to start; nil for the beginning. A search by prefix also starts at the
  ///     beginning if the account no longer has a name with the prefix, and a list by name or age if the account is gone.
  ///   - filter: Selects the accounts.
  ///   - limit: The maximum number of accounts.
  /// - Returns: The accounts.
  /// - Throws: A ``StorageError`` if the store fails.
  package func accounts(
    after handle: UserHandle?, matching filter: Account.Filter, limit: Int
  ) async throws(StorageError) -> [Account] {
    let dialect = database.dialect
    return try await database.read { (transaction) throws(StorageError) in
      var accounts: [Account] = []
      for var scan in try AccountScan.all(for: filter, after: handle, in: transaction) {
        while accounts.count < limit {
          let count = limit - accounts.count
          let rows = try transaction.rows(scan.statement(matching: filter, limit: count, dialect))
          for row in rows {
            let account = try Account(row)
            scan.pass(account)
            // The bytes of a role can also occur within another one.
            if filter.selects(account) { accounts.append(account) }
          }
          if rows.count < count { break }
        }
      }
      return accounts
    }
  }

  /// Counts the accounts that a filter selects.
  package func accountCount(matching filter: Account.Filter) async throws(StorageError) -> Int {
    let dialect = database.dialect
    return try await database.read { (transaction) throws(StorageError) in
      var count = 0
      for scan in try AccountScan.all(for: filter, after: nil, in: transaction) {
        for row in try transaction.rows(scan.counting(filter, dialect)) {
          // The bytes of a role can also occur within another one.
          guard try filter.role.map({ (role) throws(StorageError) in try row.roles(1).contains(role) }) ?? true else {
            continue
          }
          count += Int(clamping: try row.integer(0))
        }
      }
      return count
    }
  }

  /// Stores a new account without a passkey, and the code with which its owner registers one.
  package func create(
    _ account: Account, code: IssuedCode?, spending grant: GrantSpending?, audit: [AuditDraft]
  ) async throws(StorageError) -> Result<Void, ServiceError> {
    let objects = [LockedObject.account(account.handle)] + account.names.locks
    let order = WriteOrder.objects(objects, spending: grant, recording: audit)
    return try await write(order) { (transaction) throws(StorageError) in
      try transaction.perform(spending: grant, audit) { () throws(StorageError) in
        let owners = try transaction.rows(Account.owners(of: account.names)).map { (row) throws(StorageError) in
          try Account(row)
        }
        switch account.names.isTaken(by: owners) {
        case .username?: return .refused(.accountUsernameTaken)
        case .email?: return .refused(.accountEmailTaken)
        case nil: break
        }
        try transaction.run(account.insertion)
        if let code { try transaction.run(code.insertions) }
        return .success(())
      }
    }
  }

  /// Changes an account. If it is closed then (``Account/isClosed``), also deletes its sessions with their refresh tokens, its grants,
  /// email ceremonies and codes. The last acting administrator cannot be removed
  /// (``Account/Change/removesAdministrator(_:)``).
  package func change(
    _ handle: UserHandle, _ change: Account.Change, at time: UnixTime, spending grant: GrantSpending?,
    audit: [AuditDraft]
  ) async throws(StorageError) -> Result<Account, ServiceError> {
    // Two changes could otherwise each leave the other's administrator.
    let order = WriteOrder.objects([.account(handle), .administrators], spending: grant, recording: audit)
    return try await write(order) { (transaction) throws(StorageError) -> Result<Account, ServiceError> in
      try transaction.perform(spending: grant, audit) { () throws(StorageError) in
        guard let account = try Account(transaction.rows(SQLStatement(Account.byHandle, [.opaque(handle)]))) else {
          return .refused(.accountUnknown)
        }
        guard let changed = change.applied(to: account, at: time) else { return .refused(.accountStateConflict) }
        if change.removesAdministrator(account), try transaction.row(account.otherAdministrator) == nil {
          return .refused(.accountLastAdministrator)
        }
        try transaction.run(changed.update)
        if change.removesAdministrator(account) { try transaction.run(IssuedCode.removal(issuedBy: handle)) }
        if changed.isClosed {
          try transaction.run(account.handle.sessionEndings(keeping: nil))
          for table in ["codes", "email_ceremonies"] {
            try transaction.run(SQLStatement("DELETE FROM \(table) WHERE account = $1", [.opaque(handle)]))
          }
          try transaction.run(.markScrubDue)
        }
        return .success(changed)
      }
    }
  }

  /// Approves the accounts that await it, in one transaction. Leaves out the others.
  ///
  /// - Parameters:
  ///   - approvals: The accounts, each with the drafts that record its approval.
  ///   - time: The time of the change.
  ///   - grant: The grant; nil for the console.
  ///   - audit: The drafts of the whole, such as that of the spent grant.
  /// - Returns: The approved accounts.
  /// - Throws: A ``StorageError`` if the store fails.
  package func approve(
    _ approvals: [(handle: UserHandle, audit: [AuditDraft])], at time: UnixTime, spending grant: GrantSpending?,
    audit: [AuditDraft]
  ) async throws(StorageError) -> Result<[Account], ServiceError> {
    let drafts = approvals.flatMap(\.audit) + audit
    let order = WriteOrder.objects(
      approvals.map { (approval) in .account(approval.handle) }, spending: grant, recording: drafts)
    return try await write(order) { (transaction) throws(StorageError) -> Result<[Account], ServiceError> in
      var (approved, recorded) = ([Account](), [AuditDraft]())
      let outcome = try transaction.perform(spending: grant, audit) {
        () throws(StorageError) -> Result<[Account], ServiceError> in
        for (handle, drafts) in approvals {
          let rows = try transaction.rows(SQLStatement(Account.byHandle, [.opaque(handle)]))
          guard let account = try Account(rows), account.state == .pending,
            let changed = Account.Change.approve.applied(to: account, at: time)
          else { continue }
          try transaction.run(changed.update)
          approved.append(changed)
          recorded += drafts
        }
        return .success(approved)
      }
      try transaction.record(recorded)
      return outcome
    }
  }

  /// Erases an account with its passkeys, sessions, refresh tokens, grants, devices, preferences and known clients.
  ///
  /// Also erases codes and email ceremonies for the account or its address, the count of its mails, and all personal details about it beside the audit trail, including those in
  /// `audit`. The audit records themselves stay. The last acting administrator cannot be erased.
  package func erase(
    _ handle: UserHandle, spending grant: GrantSpending?, audit: [AuditDraft]
  ) async throws(StorageError) -> Result<Void, ServiceError> {
    let outcome = try await write(.serial) {
      [embedded] (transaction) throws(StorageError) -> Result<Void, ServiceError> in
      var erased: Account?
      let outcome = try transaction.perform(spending: grant, audit) {
        () throws(StorageError) -> Result<Void, ServiceError> in
        guard let account = try Account(transaction.rows(SQLStatement(Account.byHandle, [.opaque(handle)]))) else {
          return .refused(.accountUnknown)
        }
        if account.isActingAdministrator, try transaction.row(account.otherAdministrator) == nil {
          return .refused(.accountLastAdministrator)
        }
        erased = account
        return .success(())
      }
      // Runs after the audit record is written, so that the record's own personal details are erased too.
      guard let erased else { return outcome }
      // First, because their rows may reference the account.
      try transaction.run(embedded.erasure(of: handle))
      try transaction.run(erased.erasures)
      try transaction.run(IssuedCode.removal(issuedBy: handle))
      try transaction.run(.markScrubDue)
      return outcome
    }
    if case .success = outcome { await database.scrub() }
    return outcome
  }
}

extension Account {
  /// Statements that delete every row about the account except audit records. They also delete its email address from
  /// personal details that were recorded before the account existed.
  fileprivate var erasures: [SQLStatement] {
    handle.sessionEndings(keeping: nil) + [
      SQLStatement("DELETE FROM passkeys WHERE user_handle = $1", [.opaque(handle)]),
      SQLStatement("DELETE FROM devices WHERE user_handle = $1", [.opaque(handle)]),
      SQLStatement("DELETE FROM known_clients WHERE user_handle = $1", [.opaque(handle)]),
      SQLStatement("DELETE FROM codes WHERE account = $1", [.opaque(handle)]),
      SQLStatement("DELETE FROM preferences WHERE user_handle = $1", [.opaque(handle)]),
      SQLStatement("DELETE FROM codes WHERE email = $1", [.text(email?.text)]),
      SQLStatement("DELETE FROM email_ceremonies WHERE account = $1", [.opaque(handle)]),
      SQLStatement("DELETE FROM email_ceremonies WHERE email = $1", [.text(email?.text)]),
      // Waiting notices are still delivered, the last of them that the account was erased.
      SQLStatement("DELETE FROM outbox WHERE account = $1 AND died IS NOT NULL", [.opaque(handle)]),
      SQLStatement("DELETE FROM personal_details WHERE apart = 1 AND person = $1", [.opaque(handle)]),
      SQLStatement(
        """
        DELETE FROM personal_details WHERE person = $1 AND sequence IN (
          SELECT sequence FROM audit WHERE person = $1 UNION ALL SELECT sequence FROM audit WHERE other = $1)
        """, [.opaque(handle)]),
      SQLStatement(
        "DELETE FROM personal_details WHERE name = 'email' AND content = $1", [email.map { .utf8($0.text) } ?? .null]),
      SQLStatement("DELETE FROM accounts WHERE handle = $1", [.opaque(handle)]),
    ]
  }
}
