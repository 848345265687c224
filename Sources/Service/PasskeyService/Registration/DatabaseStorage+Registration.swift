// SPDX-License-Identifier: Apache-2.0

package import PasskeyStorage
internal import WebAuthnTypes

extension DatabaseStorage {
  /// Stores a new passkey with all other changes of its registration (``RegistrationCommit``).
  package func register(_ commit: RegistrationCommit) async throws(StorageError) -> Result<Account, ServiceError> {
    try await write(commit.order) { (transaction) throws(StorageError) in
      if let ceremony = commit.ceremony, try !transaction.spend(ceremony) {
        return .refused(.signUpCeremonyUnknown, "spent")
      }
      let account: Account
      switch try commit.owner(in: transaction) {
      case .failure(let refusal):
        if refusal.code == .signUpEmailTaken {
          if let decoy = commit.verificationIfTaken { try transaction.store(decoy) }
          try transaction.record(commit.auditIfTaken)
        }
        return .failure(refusal)
      case .success(let owner): account = owner
      }
      if case .newAccount = commit.owner { try transaction.run(account.insertion) }
      if let code = commit.code {
        try transaction.run(SQLStatement("DELETE FROM codes WHERE digest = $1", [.fixed(code)]))
      }
      if let id = commit.completedEmail { try transaction.run(EmailCeremony.removal(id)) }
      if case .account(let handle, session: nil) = commit.owner {
        try transaction.run(EmailCeremony.removal(of: handle, .recovery))
        // Without its ceremony a mailed code could not be cancelled, and one recovery needs no other code.
        try transaction.run(SQLStatement("DELETE FROM codes WHERE account = $1", [.opaque(handle)]))
      }
      if commit.disablesOtherPasskeys {
        try transaction.run(
          SQLStatement(
            "UPDATE passkeys SET disabled = 1, revision = revision + 1 WHERE user_handle = $1 AND disabled = 0",
            [.opaque(account.handle)]))
      }
      if commit.endsSessions { try transaction.run(account.handle.sessionEndings(keeping: nil)) }
      try transaction.run(commit.passkey.insertion)
      if case .account(let handle, _) = commit.owner, commit.passkey.canConfirm {
        try transaction.run(
          SQLStatement(
            """
            UPDATE sessions SET last_passkey_removed = NULL
            WHERE user_handle = $1 AND last_passkey_removed IS NOT NULL
            """, [.opaque(handle)]))
      }
      try transaction.record(commit.audit)
      if let client = commit.client { try transaction.run(client.insertion.statement) }
      if let locale = commit.locale { try transaction.run(locale.update(of: account.handle)) }
      if let verification = commit.verification { try transaction.store(verification) }
      if let opening = commit.opening, opening.isAdmitted(by: account) {
        try transaction.run(opening.insertions.map(\.statement))
        if let excess = opening.excessSessions { try transaction.end(transaction.rows(excess), of: opening) }
      }
      return .success(account)
    }
  }
}

extension RegistrationCommit {
  /// The objects that are looked up and changed: the account with its names, the credential ID, and everything that only one
  /// registration may use.
  fileprivate var order: WriteOrder {
    let account: [LockedObject] =
      switch owner {
      case .newAccount(let account): [.account(account.handle)] + account.names.locks
      case .account(let handle, _): [.account(handle)]
      }
    let used = [code.map(LockedObject.code), completedEmail.map(LockedObject.emailCeremony)].compactMap(\.self)
    let starts = [verification, verificationIfTaken].compactMap(\.self)
    return .objects(
      account + ceremony.locks + used + starts.flatMap(\.locks) + [.credential(passkey.record.id)],
      recording: audit + auditIfTaken + [opening?.auditOfEnding].compactMap(\.self) + starts.flatMap(\.records))
  }

  /// Returns the account that will own the passkey, or the reason for refusal. Reads everything in one round trip and
  /// checks it in the order of ``RegistrationCommit``.
  fileprivate func owner(in transaction: some SQLTransaction) throws(StorageError) -> Result<Account, ServiceError> {
    let handle: UserHandle
    let session: AccountSessionID?
    let found: SQLStatement
    switch owner {
    case .newAccount(let account):
      (handle, session) = (account.handle, nil)
      found = Account.owners(of: account.names)
    case .account(let account, let named):
      (handle, session) = (account, named)
      found = SQLStatement(Account.byHandle, [.opaque(account)])
    }
    if let id = completedEmail {
      let rows = try transaction.rows(SQLStatement(EmailCeremony.byID, [.fixed(id)]))
      guard let ceremony = try EmailCeremony(rows), time <= ceremony.expiry else {
        return .refused(.emailVerificationUnknown)
      }
    }
    let answers = try transaction.batch([
      found,
      SQLStatement(IssuedCode.byDigest, [code.map { .fixed($0) } ?? .bytes([])]),
      SQLStatement(
        "SELECT number FROM sessions WHERE id = $1 AND user_handle = $2",
        [session.map { .fixed($0) } ?? .bytes([]), .opaque(handle)]),
      SQLStatement("SELECT count(*) FROM passkeys WHERE user_handle = $1", [.opaque(handle)]),
      SQLStatement("SELECT number FROM passkeys WHERE id = $1", [.opaque(passkey.record.id)]),
    ])
    guard answers.count == 5, let count = answers[3].first else {
      throw StorageError(.failed, "a statement has no result")
    }
    if code != nil {
      guard try IssuedCode(answers[1])?.admits(owner, at: time) == true else { return .refused(.signUpCodeRefused) }
    }
    let account: Account
    let known = try answers[0].map { (row) throws(StorageError) in try Account(row) }
    switch owner {
    case .newAccount(let new):
      switch new.names.isTaken(by: known) {
      case .username?: return .refused(.signUpUsernameTaken)
      case .email?: return .refused(.signUpEmailTaken)
      case nil: account = new
      }
    case .account:
      guard let known = known.first, !known.isClosed else { return .refused(.signUpAccountRefused) }
      account = known
    }
    if session != nil, answers[2].isEmpty { return .refused(.sessionUnknown) }
    guard try count.integer(0) < maximumPasskeyCount else { return .refused(.credentialTooMany) }
    guard answers[4].isEmpty else { return .refused(.signUpCredentialKnown) }
    return .success(account)
  }
}
