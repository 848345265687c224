// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import PasskeyService
package import WebAuthnTypes

extension MemoryStorage {
  /// Returns the passkey with this credential ID, or nil.
  package func passkey(_ id: CredentialID) throws(StorageError) -> Passkey? {
    passkeys[id]
  }

  /// Returns an account's passkeys, oldest first.
  package func passkeys(of user: UserHandle) throws(StorageError) -> [Passkey] {
    passkeys.all(of: user)
  }

  /// Stores a new passkey, together with all other changes of its registration.
  package func register(_ commit: RegistrationCommit) throws(StorageError) -> RegistrationOutcome {
    if let ceremony = commit.ceremony, !spent.insert(ceremony).inserted { return .ceremonySpent }
    if let id = commit.completedEmail, emails.pending(id, at: commit.time) == nil { return .verificationUnknown }
    if let code = commit.code {
      guard codes[code]?.admits(commit.owner, at: commit.time) == true else { return .codeRefused }
    }
    let owner: Account
    switch commit.owner {
    case .newAccount(let account):
      switch accounts.taken(account.names) {
      case .username?: return .usernameTaken
      case .email?:
        if let decoy = commit.verificationIfTaken { try store(decoy) }
        trail.seal(commit.auditIfTaken)
        return .emailTaken
      case nil: owner = account
      }
    case .account(let handle, let session):
      guard let account = accounts[handle], !account.isClosed else { return .accountRefused }
      if let session { guard sessions[session]?.user == handle else { return .sessionEnded } }
      owner = account
    }
    guard passkeys.all(of: owner.handle).count < commit.maximumPasskeyCount else { return .tooMany }
    guard passkeys[commit.passkey.record.id] == nil else { return .credentialKnown }
    if let opening = commit.opening { try sessions.checkUnused(opening) }

    if case .newAccount(let account) = commit.owner { try accounts.insert(account) }
    if let code = commit.code { codes[code] = nil }
    if let id = commit.completedEmail { emails.remove { $0.id == id } }
    if case .account(let handle, session: nil) = commit.owner {
      emails.remove { $0.account == handle && $0.purpose == .recovery }
    }
    if commit.disablesOtherPasskeys {
      for var passkey in passkeys.all(of: owner.handle) where !passkey.isDisabled {
        passkey.isDisabled = true
        passkey.revision += 1
        passkeys.replace(passkey)
      }
    }
    if commit.endsSessions { end(sessions.all(of: owner.handle).map(\.id)) }
    passkeys.insert(commit.passkey)
    if commit.passkey.canConfirm {
      for var session in sessions.all(of: owner.handle) where session.lastPasskeyRemoved != nil {
        session.lastPasskeyRemoved = nil
        sessions.replace(session)
      }
    }
    trail.seal(commit.audit)
    if let client = commit.client { store(client) }
    if let verification = commit.verification { try store(verification) }
    if let opening = commit.opening, opening.isAdmitted(by: owner) { open(opening) }
    return .committed(owner)
  }

  /// Returns a page of the passkeys of all accounts, by ascending bytes of their IDs.
  package func passkeys(after id: CredentialID?, limit: Int) throws(StorageError) -> [Passkey] {
    passkeys.page(after: id, limit: limit)
  }

  /// Renames a passkey. Returns false if the account has no such passkey.
  package func rename(
    _ id: CredentialID, of user: UserHandle, to name: CredentialName, audit: [AuditDraft]
  ) throws(StorageError) -> Bool {
    guard var passkey = passkeys[id, of: user] else { return false }
    passkey.name = name
    passkeys.replace(passkey)
    trail.seal(audit)
    return true
  }

  /// Deletes a passkey and the sessions opened with it, except `session`. Refuses to delete the last enabled passkey
  /// unless `allowingLast` is set.
  package func delete(
    _ id: CredentialID, of user: UserHandle, keeping session: AccountSessionID?, allowingLast: Bool,
    spending grant: GrantSpending?, audit: [AuditDraft]
  ) throws(StorageError) -> CredentialDeletionOutcome {
    try perform(spending: grant, audit) { () throws(StorageError) in
      guard let passkey = passkeys[id, of: user] else { return .unknown }
      guard allowingLast || passkeys.all(of: user).contains(where: { $0.record.id != id && !$0.isDisabled }) else {
        return .last
      }
      passkeys.remove(passkey)
      end(sessions.all(of: user).filter { $0.credential == id && $0.id != session }.map(\.id))
      if let session, let grant, var kept = sessions[session], !passkeys.all(of: user).contains(where: \.canConfirm) {
        kept.lastPasskeyRemoved = grant.time
        sessions.replace(kept)
      }
      return .deleted
    }
  }

  /// Disables a passkey and ends all sessions of its account. Returns false if the account has no such enabled passkey.
  package func disable(
    _ id: CredentialID, of user: UserHandle, cloneSignal: UnixTime?, audit: [AuditDraft]
  ) throws(StorageError) -> Bool {
    guard var passkey = passkeys[id, of: user], !passkey.isDisabled else { return false }
    passkey.isDisabled = true
    passkey.revision += 1
    passkey.cloneSignal = cloneSignal ?? passkey.cloneSignal
    passkeys.replace(passkey)
    end(sessions.all(of: user).map(\.id))
    trail.seal(audit)
    return true
  }

  /// Returns the passkey as it will be after a compare-and-set, or nil if the comparison fails. Writes nothing.
  func passkey(after use: CredentialUse) -> Passkey? {
    passkeys[use.credential].flatMap(use.applied)
  }
}
