// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// Where passkeys are.
public protocol CredentialStorage: Sendable {
  /// The passkey with this id, of whichever account.
  func passkey(_ id: CredentialID) async throws(StorageError) -> Passkey?

  /// All passkeys of an account, in the order in which they were made.
  func passkeys(of user: UserHandle) async throws(StorageError) -> [Passkey]

  /// Stores a new passkey with whatever else its registration changes (``RegistrationCommit``).
  func register(_ commit: RegistrationCommit) async throws(StorageError) -> RegistrationOutcome

  /// Gives a passkey of an account another name; whether there is one.
  func rename(
    _ id: CredentialID, of user: UserHandle, to name: CredentialName, audit: [AuditDraft]
  ) async throws(StorageError) -> Bool

  /// Deletes a passkey of an account, and ends the sessions that it opened but for `session`, from which it is deleted. One
  /// beside which there is none that can be used goes only where that is allowed.
  func delete(
    _ id: CredentialID, of user: UserHandle, keeping session: SessionID?, allowingLast: Bool,
    spending grant: GrantSpending?, audit: [AuditDraft]
  ) async throws(StorageError) -> CredentialDeletion

  /// Disables a passkey of an account and ends all of the account's sessions; whether it was there and not disabled. The
  /// time, where one is given, is noted as that of its ``Passkey/cloneSignal``. Whatever the revision was, it grows.
  func disable(
    _ id: CredentialID, of user: UserHandle, cloneSignal: Timestamp?, audit: [AuditDraft]
  ) async throws(StorageError) -> Bool
}

/// What became of a passkey that was to be deleted.
public enum CredentialDeletion: Hashable, Sendable {
  /// It is gone.
  case deleted
  /// The account has none with this id, whoever else has.
  case unknown
  /// The account has no other that is not disabled, and that was not allowed.
  case last
  /// The grant is not for this act, and is gone.
  case grantRefused
}
