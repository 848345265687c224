// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnTypes

/// Storage of passkeys.
package protocol CredentialStorage: Sendable {
  /// Returns the passkey with this ID, of any account.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func passkey(_ id: CredentialID) async throws(StorageError) -> Passkey?

  /// Returns all passkeys of an account, oldest first.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func passkeys(of user: UserHandle) async throws(StorageError) -> [Passkey]

  /// Returns at most `limit` passkeys of all accounts, by ascending bytes of their IDs, beginning after `id`; nil begins
  /// with the first.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func passkeys(after id: CredentialID?, limit: Int) async throws(StorageError) -> [Passkey]

  /// Stores a new passkey with all other changes of its registration (``RegistrationCommit``).
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func register(_ commit: RegistrationCommit) async throws(StorageError) -> RegistrationOutcome

  /// Renames a passkey of an account.
  ///
  /// - Returns: Whether the account has the passkey.
  /// - Throws: A ``StorageError`` if the store fails.
  func rename(
    _ id: CredentialID, of user: UserHandle, to name: CredentialName, audit: [AuditDraft]
  ) async throws(StorageError) -> Bool

  /// Deletes a passkey of an account and ends the sessions that it opened. If the account then has no passkey that can
  /// confirm an action (``Passkey/canConfirm``), and the deletion spends a grant, also sets
  /// ``AccountSession/lastPasskeyRemoved`` of the kept session to the time of the spending.
  ///
  /// - Parameters:
  ///   - id: The identifier of the passkey.
  ///   - user: The account.
  ///   - session: The session that requests the deletion and stays open; nil for none.
  ///   - allowingLast: Whether to delete the last usable passkey too.
  ///   - grant: The grant to spend; nil for none.
  ///   - audit: The audit drafts.
  /// - Returns: The outcome.
  /// - Throws: A ``StorageError`` if the store fails.
  func delete(
    _ id: CredentialID, of user: UserHandle, keeping session: AccountSessionID?, allowingLast: Bool,
    spending grant: GrantSpending?, audit: [AuditDraft]
  ) async throws(StorageError) -> CredentialDeletionOutcome

  /// Disables a passkey of an account and ends all of the account's sessions. Increases the revision, whatever its
  /// value.
  ///
  /// - Parameters:
  ///   - id: The identifier of the passkey.
  ///   - user: The account.
  ///   - cloneSignal: The new value of ``Passkey/cloneSignal``; nil leaves it unchanged.
  ///   - audit: The audit drafts.
  /// - Returns: Whether the passkey existed and was enabled.
  /// - Throws: A ``StorageError`` if the store fails.
  func disable(
    _ id: CredentialID, of user: UserHandle, cloneSignal: UnixTime?, audit: [AuditDraft]
  ) async throws(StorageError) -> Bool
}

/// The outcome of deleting a passkey.
package enum CredentialDeletionOutcome: Hashable, Sendable {
  /// The passkey was deleted.
  case deleted
  /// The account has no passkey with this ID; another account may have it.
  case unknown
  /// The account has no other enabled passkey, and the caller did not allow deleting the last one.
  case last
  /// The grant does not match this action.
  case grantRefused
}
