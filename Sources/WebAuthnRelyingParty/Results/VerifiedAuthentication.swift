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

  /// The meaning of the UV flag. Only ``UserVerificationSignal/factor`` is a second factor.
  public let userVerification: UserVerificationSignal

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
    credential: consuming StoredCredential, authenticatorData: AuthenticatorData,
    userVerification: UserVerificationSignal, counter: CounterSignal,
    backup: BackupSignal, clientExtensionResults: ClientExtensions, extensions: AuthenticationExtensions?,
    purpose: AuthenticationPurpose, payment: ClientPaymentData?, time: Timestamp
  ) {
    // §7.2 step 24. uvInitialized stays: raising it takes another factor, which no assertion by this credential is.
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
  /// Returns the credential to store in place of ``credential``, with `uvInitialized` true: from the next ceremony on, the UV
  /// flag counts as a factor.
  ///
  /// Call this only after the user was authorized by another factor as strong as user verification: a password, a recovery
  /// code, a sign-in with another passkey whose ``userVerification`` is ``UserVerificationSignal/factor``. §4 and §7.2 step 24
  /// demand it, since the first UV flag of a credential proves nothing. This ceremony itself stays one without the factor.
  ///
  /// - Throws: `authentication.user-not-verified` in step 24 where this ceremony has the UV flag clear: there is nothing to
  ///   take over.
  public func credentialInitializingUserVerificationAfterAnotherFactor() throws(CeremonyError) -> StoredCredential {
    guard flags.contains(.userVerified) else {
      throw CeremonyError(.authenticationUserNotVerified, step: 24, .init("UV set", "UV clear"))
    }
    var credential = credential
    credential.record.uvInitialized = true
    return credential
  }
}
