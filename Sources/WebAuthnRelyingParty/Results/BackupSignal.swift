// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

/// What became of a credential's backup since it was last seen (WebAuthn §6.1.3).
public struct BackupSignal: Hashable, Sendable {
  /// Whether the credential now says that it may be backed up and did not before, or the other way round.
  public let eligibilityChanged: Bool

  /// Whether it is backed up now and was not before, or the other way round.
  public let stateChanged: Bool

  init(record: CredentialRecord, flags: AuthenticatorFlags) {
    eligibilityChanged = record.backupEligible != flags.contains(.backupEligible)
    stateChanged = record.backupState != flags.contains(.backedUp)
  }
}
