// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnTypes

/// The changes that an assertion makes to its credential. A store applies them only if the credential has not changed
/// since it was read.
package struct CredentialUse: Hashable, Sendable {
  /// The credential.
  package var credential: CredentialID

  /// The credential's owner when the assertion was verified.
  package var user: UserHandle

  /// The revision of the credential that was verified. If the stored revision differs, the store writes nothing.
  package var revision: Int64

  /// The new signature counter.
  package var signCount: UInt32

  /// The new backup state.
  package var backupState: Bool

  /// Whether the counter or the backup state changes, so that the revision increases by one. Passkeys without a counter
  /// change neither, so concurrent sign-ins on two devices do not conflict.
  package var changesRecord: Bool

  /// Whether the counter did not increase. The store records the time of this signal.
  package var suspectsClone: Bool

  /// Whether the backup eligibility changed. The store records the time of this signal.
  package var changesBackupEligibility: Bool

  /// The time of the assertion. The store keeps the latest one as the last use.
  package var time: UnixTime

  /// Creates a use from its fields.
  package init(
    credential: CredentialID, user: UserHandle, revision: Int64, signCount: UInt32, backupState: Bool,
    changesRecord: Bool, suspectsClone: Bool = false, changesBackupEligibility: Bool = false, time: UnixTime
  ) {
    self.credential = credential
    self.user = user
    self.revision = revision
    self.signCount = signCount
    self.backupState = backupState
    self.changesRecord = changesRecord
    self.suspectsClone = suspectsClone
    self.changesBackupEligibility = changesBackupEligibility
    self.time = time
  }

  /// Returns the changed passkey, or nil if the passkey is disabled, has another owner or has another revision. A store
  /// that keeps whole passkeys calls this inside its transaction; one that keeps columns makes the same changes to
  /// them.
  package func applied(to passkey: Passkey) -> Passkey? {
    guard passkey.record.id == credential, passkey.user == user, passkey.revision == revision, !passkey.isDisabled
    else { return nil }
    var used = passkey
    used.record.signCount = signCount
    used.record.backupState = backupState
    used.lastUsed = max(passkey.lastUsed ?? time, time)
    if suspectsClone { used.cloneSignal = time }
    if changesBackupEligibility { used.backupSignal = time }
    if changesRecord { used.revision += 1 }
    return used
  }
}
