// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// An authentication that went through every step. Only ``RelyingParty`` makes one.
public struct VerifiedAuthentication: Sendable {
  /// What to store in place of what was there, if that has not changed since.
  public let credential: StoredCredential

  /// Who was authenticated.
  public var user: UserHandle { credential.user }

  /// The authenticator's flags.
  public let flags: AuthenticatorFlags

  /// What the signature counter says.
  public let counter: CounterSignal

  /// What became of the credential's backup.
  public let backup: BackupSignal

  /// What extensions gave back, unsigned.
  public let clientExtensionResults: ClientExtensions

  /// The proof that an act was confirmed, where the ceremony was begun for that.
  public let stepUp: StepUpProof?

  /// When.
  public let time: Timestamp

  init(
    credential: StoredCredential, authenticatorData: AuthenticatorData, counter: CounterSignal, backup: BackupSignal,
    clientExtensionResults: ClientExtensions, purpose: AuthenticationPurpose, time: Timestamp
  ) {
    var updated = credential
    // §7.2 step 24. That the user was verified for the first time (uvInitialized) is not taken over here: the standard
    // wants another factor to say so.
    updated.record.signCount = authenticatorData.signCount
    updated.record.backupState = authenticatorData.flags.contains(.backedUp)
    self.credential = updated
    flags = authenticatorData.flags
    self.counter = counter
    self.backup = backup
    self.clientExtensionResults = clientExtensionResults
    self.time = time
    stepUp =
      if case .stepUp(let action) = purpose {
        StepUpProof(user: credential.user, credentialID: credential.record.id, action: action, time: time)
      } else {
        nil
      }
  }
}
