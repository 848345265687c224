// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// What an assertion changes of the credential that made it, on the condition that nobody else has changed it since.
public struct CredentialUse: Hashable, Sendable {
  /// The credential.
  public var credential: CredentialID

  /// Whose it was when it was judged.
  public var user: UserHandle

  /// The revision that was judged. Where the store has another by now, nothing is written.
  public var revision: Int64

  /// The counter from now on.
  public var signCount: UInt32

  /// Whether it is backed up from now on.
  public var backupState: Bool

  /// Whether the counter or the backup state is another than before, so that the revision grows by one. Passkeys that do
  /// not count change nothing, and sign in on two devices at once without hindering one another.
  public var changesRecord: Bool

  /// Whether the counter did not go up, which is noted with the time.
  public var suspectsClone: Bool

  /// Whether it says otherwise than before that it may be backed up, which is noted with the time.
  public var changesBackupEligibility: Bool

  /// When. The store keeps the latest as the last use.
  public var time: Timestamp

  /// Puts together what is written.
  public init(
    credential: CredentialID, user: UserHandle, revision: Int64, signCount: UInt32, backupState: Bool,
    changesRecord: Bool, suspectsClone: Bool = false, changesBackupEligibility: Bool = false, time: Timestamp
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

  /// The passkey as it is afterwards; nil where the condition does not hold. A store that keeps whole passkeys asks inside
  /// the transaction; one that keeps columns does the same to them.
  public func applied(to passkey: Passkey) -> Passkey? {
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
