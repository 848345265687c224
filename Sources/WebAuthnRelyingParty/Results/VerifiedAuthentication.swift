// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// An authentication that passed every step. Only ``RelyingParty`` creates one.
public struct VerifiedAuthentication: Sendable {
  /// The credential to store. Replace the stored one only if it has not changed since.
  public let credential: StoredCredential

  /// The authenticated user.
  public var user: UserHandle { credential.user }

  /// The authenticator's flags.
  public let flags: AuthenticatorFlags

  /// The meaning of the UV flag. Only ``UserVerificationSignal/factor`` is a second factor.
  public let userVerification: UserVerificationSignal

  /// The result of comparing the signature counter.
  public let counter: CounterSignal

  /// The changes of the credential's backup flags.
  public let backup: BackupSignal

  /// The typed outputs of the requested extensions.
  public var extensions: AuthenticationExtensions { extensionOutputs ?? .none }

  /// The raw extension outputs of the client, not signed.
  public let clientExtensionResults: ClientExtensions

  /// The raw extension outputs in authenticator data, signed.
  public let authenticatorExtensionOutputs: CBORMap?

  /// The proof of a confirmed action, if the ceremony was begun as a step-up.
  public let stepUp: StepUpProof?

  /// The proof of a confirmed payment, if the ceremony was begun for a payment.
  public let payment: PaymentProof?

  /// The time of the authentication.
  public let time: Timestamp

  /// Nil for ceremonies without extensions, which are most.
  private let extensionOutputs: AuthenticationExtensions?

  init(
    credential: consuming StoredCredential, authenticatorData: AuthenticatorData,
    userVerification: UserVerificationSignal, counter: CounterSignal,
    backup: BackupSignal, clientExtensionResults: ClientExtensions, extensions: AuthenticationExtensions?,
    purpose: AuthenticationPurpose, payment: ClientPaymentData?, time: Timestamp
  ) {
    // §7.2 step 24. uvInitialized does not change: it requires another factor, and no assertion of this credential is
    // one.
    credential.record.signCount = authenticatorData.signCount
    credential.record.backupState = authenticatorData.flags.contains(.backedUp)
    flags = authenticatorData.flags
    self.userVerification = userVerification
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

extension VerifiedAuthentication {
  /// Returns the credential to store in place of ``credential``, with `uvInitialized` true: from the next ceremony, the
  /// UV flag counts as a factor.
  ///
  /// Call this only after the user was authorized by another factor as strong as user verification: a password, a
  /// recovery code, or a sign-in with another passkey whose ``userVerification`` is ``UserVerificationSignal/factor``.
  /// §4 and §7.2 step 24 require this, because the first UV flag of a credential proves nothing. The current ceremony
  /// remains single-factor.
  ///
  /// - Throws: `authentication.user-not-verified` in step 24 if the UV flag of this ceremony is clear.
  public func credentialInitializingUserVerificationAfterAnotherFactor() throws(CeremonyError) -> StoredCredential {
    guard flags.contains(.userVerified) else {
      throw CeremonyError(.authenticationUserNotVerified, step: 24, .init("UV set", "UV clear"))
    }
    var credential = credential
    credential.record.uvInitialized = true
    return credential
  }
}
