// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

/// The changes of a credential's backup flags since its last use (WebAuthn §6.1.3).
public struct BackupSignal: Hashable, Sendable {
  /// Whether backup eligibility differs from the stored record.
  public let eligibilityChanged: Bool

  /// Whether the backup state differs from the stored record.
  public let stateChanged: Bool

  init(record: CredentialRecord, flags: AuthenticatorFlags) {
    eligibilityChanged = record.backupEligible != flags.contains(.backupEligible)
    stateChanged = record.backupState != flags.contains(.backedUp)
  }
}
