// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnTypes

/// Storage of accounts.
package protocol AccountStorage: Sendable {
  /// Returns the account with this handle.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func account(_ handle: UserHandle) async throws(StorageError) -> Account?

  /// Returns the account with this name.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func account(_ name: AccountName) async throws(StorageError) -> Account?

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
  func candidate(
    _ name: AccountName, limit: Int, standInCount: Int
  ) async throws(StorageError) -> SignInCandidate?

  /// Lists accounts in the order of the filter (``AccountFilter/order``). With a prefix (``AccountFilter/prefix``), lists those whose address begins
  /// with it, by ascending bytes of their addresses, then the others whose user name does, by ascending bytes of the names'
  /// keys: a database finds them in an index, however many accounts there are.
  ///
  /// - Parameters:
  ///   - handle: The handle of the account after which to start; nil for the beginning. A search by prefix also starts at the
  ///     beginning if the account no longer has a name with the prefix, and a list by name or age if the account is gone.
  ///   - filter: Selects the accounts.
  ///   - limit: The maximum number of accounts.
  /// - Returns: The accounts.
  /// - Throws: A ``StorageError`` if the store fails.
  func accounts(
    after handle: UserHandle?, matching filter: AccountFilter, limit: Int
  ) async throws(StorageError) -> [Account]

  /// Counts the accounts that a filter selects.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func accountCount(matching filter: AccountFilter) async throws(StorageError) -> Int

  /// Stores a new account without a passkey, and the code with which its owner registers one.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func create(
    _ account: Account, code: IssuedCode?, spending grant: GrantSpending?, audit: [AuditDraft]
  ) async throws(StorageError) -> AccountCreationOutcome

  /// Changes an account. If it is closed then (``Account/isClosed``), also deletes its sessions with their refresh tokens, its grants,
  /// email ceremonies and codes. The last acting administrator cannot be removed
  /// (``AccountChange/removesAdministrator(_:)``).
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func change(
    _ handle: UserHandle, _ change: AccountChange, at time: UnixTime, spending grant: GrantSpending?,
    audit: [AuditDraft]
  ) async throws(StorageError) -> AccountChangeOutcome

  /// Approves the accounts that await it, in one transaction. Leaves out the others.
  ///
  /// - Parameters:
  ///   - approvals: The accounts, each with the drafts that record its approval.
  ///   - time: The time of the change.
  ///   - grant: The grant; nil for the console.
  ///   - audit: The drafts of the whole, such as that of the spent grant.
  /// - Returns: The approved accounts.
  /// - Throws: A ``StorageError`` if the store fails.
  func approve(
    _ approvals: [(handle: UserHandle, audit: [AuditDraft])], at time: UnixTime, spending grant: GrantSpending?,
    audit: [AuditDraft]
  ) async throws(StorageError) -> AccountApprovalOutcome

  /// Erases an account with its passkeys, sessions, refresh tokens, grants, devices, preferences and known clients.
  ///
  /// Also erases codes and email ceremonies for the account or its address, the count of its mails, and all personal details about it beside the audit trail, including those in
  /// `audit`. The audit records themselves stay. The last acting administrator cannot be erased.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func erase(
    _ handle: UserHandle, spending grant: GrantSpending?, audit: [AuditDraft]
  ) async throws(StorageError) -> AccountErasureOutcome

  /// Returns the notification preferences of an account; empty if it has none or does not exist.
  func preferences(of user: UserHandle) async throws(StorageError) -> NotificationPreferences

  /// Replaces the notification preferences of an account. Returns whether the account exists.
  func setPreferences(
    _ preferences: NotificationPreferences, of user: UserHandle, audit: [AuditDraft]
  ) async throws(StorageError) -> Bool
}

extension AccountStorage {
  /// Returns the account with this email address.
  package func account(email: EmailAddress) async throws(StorageError) -> Account? {
    try await account(.email(email))
  }
}

/// The outcome of creating an account.
package enum AccountCreationOutcome: Hashable, Sendable {
  /// The account was stored.
  case created
  /// Another account has the address.
  case emailTaken
  /// Another account has the user name.
  case usernameTaken
  /// The grant does not match this action. It has been deleted.
  case grantRefused
}

/// The outcome of changing an account.
package enum AccountChangeOutcome: Hashable, Sendable {
  /// The account was changed to this.
  case changed(Account)
  /// The account does not exist.
  case unknown
  /// The change is not valid in the account's state.
  case stateConflict
  /// The change would remove the last acting administrator.
  case lastAdministrator
  /// The grant does not match this action. It has been deleted.
  case grantRefused
}

/// The outcome of approving several accounts.
package enum AccountApprovalOutcome: Hashable, Sendable {
  /// These accounts were approved.
  case approved([Account])
  /// The grant does not match this action. It has been deleted.
  case grantRefused
}

/// The outcome of erasing an account.
package enum AccountErasureOutcome: Hashable, Sendable {
  /// The account and its data were erased.
  case erased
  /// The account does not exist.
  case unknown
  /// The account is the last acting administrator.
  case lastAdministrator
  /// The grant does not match this action. It has been deleted.
  case grantRefused
}

/// The account of the address that a sign-in was begun with, and the credentials to offer.
package struct SignInCandidate: Hashable, Sendable {
  /// The account.
  package var account: Account

  /// The credentials to list in the sign-in options.
  package var credentials: [CredentialDescriptor]

  /// Creates a candidate from a store's records.
  package init(account: Account, credentials: [CredentialDescriptor]) {
    self.account = account
    self.credentials = credentials
  }
}
