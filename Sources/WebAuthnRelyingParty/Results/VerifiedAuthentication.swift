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

  /// What came of the extensions that were asked for, by type.
  public var extensions: AuthenticationExtensions { extensionOutputs ?? .none }

  /// What extensions gave back by way of the client, unsigned, as it came.
  public let clientExtensionResults: ClientExtensions

  /// What extensions gave back in authenticator data, signed, as it came.
  public let authenticatorExtensionOutputs: CBORMap?

  /// The proof that an act was confirmed, where the ceremony was begun for that.
  public let stepUp: StepUpProof?

  /// The proof that a payment was confirmed, where the ceremony was begun for that.
  public let payment: PaymentProof?

  /// When.
  public let time: Timestamp

  /// Most sign-ins ask for no extension, and carry nothing.
  private let extensionOutputs: AuthenticationExtensions?

  init(
    credential: consuming StoredCredential, authenticatorData: AuthenticatorData, counter: CounterSignal,
    backup: BackupSignal, clientExtensionResults: ClientExtensions, extensions: AuthenticationExtensions?,
    purpose: AuthenticationPurpose, payment: ClientPaymentData?, time: Timestamp
  ) {
    // §7.2 step 24. That the user was verified for the first time (uvInitialized) is not taken over here: the standard
    // wants another factor to say so.
    credential.record.signCount = authenticatorData.signCount
    credential.record.backupState = authenticatorData.flags.contains(.backedUp)
    flags = authenticatorData.flags
    self.counter = counter
    self.backup = backup
    self.clientExtensionResults = clientExtensionResults
    authenticatorExtensionOutputs = authenticatorData.extensions
    extensionOutputs = extensions
    self.time = time
    stepUp =
      if case .stepUp(let action) = purpose {
        StepUpProof(user: credential.user, credentialID: credential.record.id, action: action, time: time)
      } else {
        nil
      }
    self.payment =
      if case .payment(let transaction) = purpose, let payment {
        PaymentProof(
          transaction, shown: payment, credential: copy credential,
          browserBoundPublicKey: extensions?.browserBoundPublicKey, time: time)
      } else {
        nil
      }
    self.credential = credential
  }
}
