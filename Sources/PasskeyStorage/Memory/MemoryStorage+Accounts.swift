// SPDX-License-Identifier: Apache-2.0

public import PasskeyService
public import WebAuthnTypes

extension MemoryStorage {
  /// Finds an account.
  public func account(_ handle: UserHandle) throws(StorageError) -> Account? {
    accounts[handle]
  }

  /// Finds an account.
  public func account(email: EmailAddress) throws(StorageError) -> Account? {
    accounts[email]
  }

  /// Finds an account and the credentials that may be asked for.
  public func candidate(
    email: EmailAddress, limit: Int, standInCount: Int
  ) throws(StorageError) -> SignInCandidate? {
    guard let account = accounts[email] else { return nil }
    let usable = passkeys.all(of: account.handle).filter { !$0.isDisabled }
    return SignInCandidate(account: account, credentials: usable.suffix(limit).map(\.record.descriptor))
  }

  /// Lists accounts.
  public func accounts(
    after handle: UserHandle?, state: Account.State?, limit: Int
  ) throws(StorageError) -> [Account] {
    let listed = accounts.sorted.filter { account in
      handle.map { $0.bytes.lexicographicallyPrecedes(account.handle.bytes) } ?? true
        && state.map { $0 == account.state } ?? true
    }
    return Array(listed.prefix(limit))
  }

  /// Makes an account without a passkey.
  public func create(
    _ account: Account, code: IssuedCode?, spending grant: GrantSpending?, audit: [AuditDraft]
  ) throws(StorageError) -> AccountCreation {
    try carryOut(spending: grant, audit) { () throws(StorageError) in
      guard accounts[account.email] == nil else { return .emailTaken }
      if let code { try checkUnused(code) }
      try accounts.insert(account)
      if let code { codes[code.digest] = code }
      return .created
    }
  }

  /// Changes an account.
  public func change(
    _ handle: UserHandle, _ change: AccountChange, spending grant: GrantSpending?, audit: [AuditDraft]
  ) throws(StorageError) -> AccountChangeOutcome {
    try carryOut(spending: grant, audit) { () throws(StorageError) in
      guard let account = accounts[handle] else { return .unknown }
      guard let changed = change.applied(to: account) else { return .stateConflict }
      if change.removesAdministrator(account), !accounts.hasAdministrator(besides: account) {
        return .lastAdministrator
      }
      accounts.replace(changed)
      if changed.state == .disabled {
        endEverything(of: handle)
        codes = codes.filter { $0.value.account != handle }
      }
      return .changed(changed)
    }
  }

  /// Erases an account.
  public func erase(
    _ handle: UserHandle, spending grant: GrantSpending?, audit: [AuditDraft]
  ) throws(StorageError) -> ErasureOutcome {
    let account = accounts[handle]
    let outcome = try carryOut(spending: grant, audit) { () throws(StorageError) -> ErasureOutcome in
      guard let account else { return .unknown }
      if account.isActingAdministrator, !accounts.hasAdministrator(besides: account) { return .lastAdministrator }
      return .erased
    }
    guard outcome == .erased, let account else { return outcome }
    endEverything(of: handle)
    let mark = PendingCeremony.mark(of: account.email)
    ceremonies.remove { $0.payload.contains(mark) }
    passkeys.removeAll(of: handle)
    devices.removeAll(of: handle)
    codes = codes.filter { $0.value.account != handle && $0.value.email != account.email }
    accounts.remove(account)
    trail.forget(handle)
    return outcome
  }

  /// Ends what an account has going on.
  private func endEverything(of handle: UserHandle) {
    end(sessions.all(of: handle).map(\.id))
    ceremonies.remove { $0.user == handle }
  }
}
