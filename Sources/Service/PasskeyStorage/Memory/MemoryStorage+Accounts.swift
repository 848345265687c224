// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import PasskeyService
package import WebAuthnTypes

extension MemoryStorage {
  /// Returns the account with this user handle, or nil.
  package func account(_ handle: UserHandle) throws(StorageError) -> Account? {
    accounts[handle]
  }

  /// Returns the account with this name, or nil.
  package func account(_ name: AccountName) throws(StorageError) -> Account? {
    accounts[name]
  }

  /// Returns the account with this name and the descriptors of its enabled passkeys, the newest `limit` of
  /// them.
  package func candidate(
    _ name: AccountName, limit: Int, standInCount: Int
  ) throws(StorageError) -> SignInCandidate? {
    guard let account = accounts[name] else { return nil }
    let usable = passkeys.all(of: account.handle).filter { !$0.isDisabled }
    return SignInCandidate(account: account, credentials: usable.suffix(limit).map(\.record.descriptor))
  }

  /// Returns at most `limit` accounts, ordered by handle, or with a prefix by name, starting after `handle`.
  package func accounts(
    after handle: UserHandle?, matching filter: AccountFilter, limit: Int
  ) throws(StorageError) -> [Account] {
    if let prefix = filter.prefix {
      let found = accounts.all(beginningWith: prefix)
      let start = handle.flatMap { handle in found.firstIndex { $0.handle == handle } }.map { $0 + 1 } ?? 0
      return Array(found[start...].filter(filter.selects).prefix(limit))
    }
    let listed = accounts.sorted.filter { account in
      handle.map { $0.bytes.lexicographicallyPrecedes(account.handle.bytes) } ?? true
        && filter.selects(account)
    }
    return Array(listed.prefix(limit))
  }

  /// Creates an account without a passkey, and stores its one-time code if one is given.
  package func create(
    _ account: Account, code: IssuedCode?, spending grant: GrantSpending?, audit: [AuditDraft]
  ) throws(StorageError) -> AccountCreationOutcome {
    try perform(spending: grant, audit) { () throws(StorageError) in
      switch accounts.taken(account.names) {
      case .username?: return .usernameTaken
      case .email?: return .emailTaken
      case nil: break
      }
      if let code { try checkUnused(code) }
      try accounts.insert(account)
      if let code { codes[code.digest] = code }
      return .created
    }
  }

  /// Applies a change to an account. Disabling or rejecting it also deletes its sessions, grants and codes.
  /// Refuses to remove the last administrator.
  package func change(
    _ handle: UserHandle, _ change: AccountChange, at time: UnixTime, spending grant: GrantSpending?,
    audit: [AuditDraft]
  ) throws(StorageError) -> AccountChangeOutcome {
    try perform(spending: grant, audit) { () throws(StorageError) in
      guard let account = accounts[handle] else { return .unknown }
      guard let changed = change.applied(to: account, at: time) else { return .stateConflict }
      if change.removesAdministrator(account), !accounts.hasAdministrator(besides: account) {
        return .lastAdministrator
      }
      accounts.replace(changed)
      if changed.isClosed {
        endSessions(of: handle)
        codes = codes.filter { $0.value.account != handle }
        emails.remove { $0.account == handle }
      }
      return .changed(changed)
    }
  }

  /// Erases an account with its passkeys, sessions, devices, codes and personal details. Refuses to erase the last
  /// administrator.
  package func erase(
    _ handle: UserHandle, spending grant: GrantSpending?, audit: [AuditDraft]
  ) throws(StorageError) -> AccountErasureOutcome {
    let account = accounts[handle]
    let outcome = try perform(spending: grant, audit) { () throws(StorageError) -> AccountErasureOutcome in
      guard let account else { return .unknown }
      if account.isActingAdministrator, !accounts.hasAdministrator(besides: account) { return .lastAdministrator }
      return .erased
    }
    guard outcome == .erased, let account else { return outcome }
    endSessions(of: handle)
    passkeys.removeAll(of: handle)
    devices.removeAll(of: handle)
    preferences[handle] = nil
    clients[handle] = nil
    codes = codes.filter { $0.value.account != handle && ($0.value.email == nil || $0.value.email != account.email) }
    emails.remove { $0.account == handle || $0.email == account.email }
    trail.outbox.removeDead(of: handle)
    accounts.remove(account)
    trail.forget(handle)
    return outcome
  }

  /// Returns the notification preferences of an account; empty if it has none.
  package func preferences(of user: UserHandle) throws(StorageError) -> NotificationPreferences {
    preferences[user] ?? .none
  }

  /// Replaces the notification preferences of an account. Returns false if the account does not exist.
  package func setPreferences(
    _ preferences: NotificationPreferences, of user: UserHandle, audit: [AuditDraft]
  ) throws(StorageError) -> Bool {
    guard accounts[user] != nil else { return false }
    self.preferences[user] = preferences
    trail.seal(audit)
    return true
  }

  /// Deletes the account's sessions, refresh tokens and grants.
  private func endSessions(of handle: UserHandle) {
    end(sessions.all(of: handle).map(\.id))
  }
}
