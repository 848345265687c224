// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// Where accounts are.
public protocol AccountStorage: Sendable {
  /// The account with this handle.
  func account(_ handle: UserHandle) async throws(StorageError) -> Account?

  /// The account with this address.
  func account(email: EmailAddress) async throws(StorageError) -> Account?

  /// The account with this address and the credentials that may be asked for: the newest `limit` of those that are not
  /// disabled, in the order in which they were made.
  ///
  /// Where the address has no account, or its account has no such credential, a database reads `standInCount` stand-ins
  /// and drops them, so that the time does not tell whether there is an account.
  func candidate(
    email: EmailAddress, limit: Int, standInCount: Int
  ) async throws(StorageError) -> SignInCandidate?

  /// Accounts in the order of their handles, from behind one of them, at most `limit`; of one state where one is given.
  func accounts(
    after handle: UserHandle?, state: Account.State?, limit: Int
  ) async throws(StorageError) -> [Account]

  /// Makes an account that has no passkey yet, and the code with which its owner gets one.
  func create(
    _ account: Account, code: IssuedCode?, spending grant: GrantSpending?, audit: [AuditDraft]
  ) async throws(StorageError) -> AccountCreation

  /// Changes an account. Where it is disabled thereby, its sessions with their refresh tokens, grants, pending ceremonies and
  /// codes go. The last acting administrator stays (``AccountChange/removesAdministrator(_:)``).
  func change(
    _ handle: UserHandle, _ change: AccountChange, spending grant: GrantSpending?, audit: [AuditDraft]
  ) async throws(StorageError) -> AccountChangeOutcome

  /// Erases an account: itself, its passkeys, sessions, refresh tokens, grants, devices and pending ceremonies, also
  /// those that were begun under its address before it was there (``PendingCeremony/mark(of:)``), the codes made for it or
  /// for its address, and every personal detail about it beside the audit trail, those of these drafts too. The
  /// records themselves stay. So does the last acting administrator.
  func erase(
    _ handle: UserHandle, spending grant: GrantSpending?, audit: [AuditDraft]
  ) async throws(StorageError) -> ErasureOutcome
}

/// What became of an account that was to be made.
public enum AccountCreation: Hashable, Sendable {
  /// It is there.
  case created
  /// Another one has the address.
  case emailTaken
  /// The grant is not for this act, and is gone.
  case grantRefused
}

/// What became of a change to an account.
public enum AccountChangeOutcome: Hashable, Sendable {
  /// The account is so now.
  case changed(Account)
  /// There is none.
  case unknown
  /// The account is in a state from which the change does not lead.
  case stateConflict
  /// Nobody could administer afterwards.
  case lastAdministrator
  /// The grant is not for this act, and is gone.
  case grantRefused
}

/// What became of an account that was to be erased.
public enum ErasureOutcome: Hashable, Sendable {
  /// Nothing is left of it.
  case erased
  /// There is none.
  case unknown
  /// Nobody could administer afterwards.
  case lastAdministrator
  /// The grant is not for this act, and is gone.
  case grantRefused
}
