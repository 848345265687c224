// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats
public import WebAuthnTypes

/// An authentication that passed every step. Only ``RelyingParty`` creates one.
public struct VerifiedAuthentication: Sendable {
  /// The credential to store. Replace the stored one only if it has not changed since.
  public let credential: StoredCredential

  /// The authenticated user.
  public var user: UserHandle { credential.user }

  /// The authenticator's flags.
  package let flags: AuthenticatorFlags

  /// The meaning of the UV flag. Only ``VerifiedAuthentication/UserVerificationSignal/factor`` is a second factor.
  public let userVerification: UserVerificationSignal

  /// The result of comparing the signature counter.
  public let counter: CounterSignal

  /// The changes of the credential's backup flags.
  public let backup: BackupSignal

  /// The typed outputs of the requested extensions.
  public var extensions: Extensions { extensionOutputs ?? .none }

  /// The raw extension outputs of the client by extension name, not signed.
  public let clientExtensionResults: [String: ExtensionValue]

  /// The raw extension outputs in authenticator data, signed.
  package let authenticatorExtensionOutputs: CBORMap?

  /// The proof of a confirmed action, if the ceremony was begun as a step-up.
  public let stepUp: StepUpProof?

  /// The proof of a confirmed payment, if the ceremony was begun for a payment.
  public let payment: PaymentProof?

  /// The time of the authentication.
  public let time: UnixTime

  /// Nil for ceremonies without extensions, which are most.
  private let extensionOutputs: Extensions?

  init(
    credential: consuming StoredCredential, authenticatorData: AuthenticatorData,
    userVerification: UserVerificationSignal, counter: CounterSignal,
    backup: BackupSignal, clientExtensionResults: ClientExtensions, extensions: Extensions?,
    purpose: AuthenticationPurpose, payment: ClientPaymentData?, time: UnixTime
  ) {
    // §7.2 step 24. uvInitialized does not change: it requires another factor, and no assertion of this credential is
    // one.
    credential.record.signCount = authenticatorData.signCount
    credential.record.backupState = authenticatorData.flags.contains(.backedUp)
    flags = authenticatorData.flags
    self.userVerification = userVerification
    self.counter = counter
    self.backup = backup
    self.clientExtensionResults = clientExtensionResults.values
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
  /// recovery code, or a sign-in with another passkey whose ``userVerification`` is
  /// ``VerifiedAuthentication/UserVerificationSignal/factor``. §4 and §7.2 step 24 require this, because the first UV
  /// flag of a credential proves nothing. The current ceremony remains single-factor.
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

extension VerifiedAuthentication {
  /// The outputs of the extensions that a sign-in requested. Outputs that were not requested appear in the raw outputs
  /// of ``VerifiedAuthentication`` only.
  public struct Extensions: Hashable, Sendable {
    /// The outputs of the client. They are not signed, so a malicious browser can forge them. A malformed output is
    /// nil.
    package let fromClient: AuthenticationClientOutputs

    /// The parse errors of malformed client outputs, by extension name. The ceremony succeeds without these outputs,
    /// because they are not signed and the standard makes every extension optional.
    public let malformedClientOutputs: [String: FormatError]

    /// The outputs of the authenticator, signed with the credential's key.
    package let fromAuthenticator: AuthenticationAuthenticatorOutputs

    /// The public key of the browser-bound key (Secure Payment Confirmation), as a COSE key. Set if a payment was
    /// confirmed and the browser proved possession of the private key.
    public let browserBoundPublicKey: [UInt8]?

    /// Whether the client used the AppID (`appid`).
    public var usedAppID: Bool? { fromClient.appID }

    static let none = Self(
      fromClient: AuthenticationClientOutputs(), malformedClientOutputs: [:],
      fromAuthenticator: AuthenticationAuthenticatorOutputs(), browserBoundPublicKey: nil)
  }
}

extension VerifiedAuthentication {
  /// The meaning of the UV flag in a sign-in (WebAuthn §4, "uvInitialized").
  ///
  /// When an authenticator sets the flag for the first time, the relying party has no reason to trust its user
  /// verification: the thief of a security key without a PIN can set one. The flag counts from the next ceremony after
  /// ``VerifiedAuthentication/credentialInitializingUserVerificationAfterAnotherFactor()``.
  public enum UserVerificationSignal: Hashable, Sendable {
    /// UV is clear: the sign-in proves possession of the credential alone.
    case notPerformed

    /// UV is set, but `uvInitialized` is false: UV must not be used as a factor. The sign-in proves possession only.
    case notInitialized

    /// UV is set, and `uvInitialized` is true: user verification counts as a factor.
    case factor

    init(record: CredentialRecord, flags: AuthenticatorFlags) {
      self =
        if !flags.contains(.userVerified) {
          .notPerformed
        } else {
          record.uvInitialized ? .factor : .notInitialized
        }
    }
  }
}

extension VerifiedAuthentication {
  /// The result of comparing the signature counter with the stored one (WebAuthn §6.1.1).
  public enum CounterSignal: Hashable, Sendable {
    /// Both counters are zero: the authenticator does not count, as is usual for synchronized passkeys.
    case notCounted
    /// The counter increased.
    case increased(from: UInt32, to: UInt32)
    /// The counter did not increase. This indicates a cloned authenticator but does not prove one.
    case notIncreased(from: UInt32, to: UInt32)

    /// Whether the counter indicates a cloned authenticator.
    public var isSuspicious: Bool {
      if case .notIncreased = self { true } else { false }
    }

    init(stored: UInt32, received: UInt32) {
      if stored == 0, received == 0 {
        self = .notCounted
      } else {
        self = received > stored ? .increased(from: stored, to: received) : .notIncreased(from: stored, to: received)
      }
    }
  }
}

extension VerifiedAuthentication {
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
}
