// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnAttestation
package import WebAuthnRelyingParty
package import WebAuthnTypes

/// One page of a review of stored attestation.
package struct AttestationReview: Sendable {
  /// The passkeys that the current policy refuses.
  package let refused: [RefusedPasskey]

  /// The number of passkeys that were verified.
  package let count: Int

  /// The last passkey of the page, after which the next page begins; nil if there is no next page.
  package let last: CredentialID?
}

/// A passkey whose stored attestation the current policy refuses.
package struct RefusedPasskey: Sendable {
  /// The passkey.
  package let passkey: Passkey

  /// The owner's account.
  package let account: Account

  /// The reason.
  package let reason: CeremonyError

  /// The most specific code of the reason, such as `attestation.authenticator-status`.
  package var code: String {
    if case .attestation(let error)? = reason.cause { return error.code.rawValue }
    return reason.code.rawValue
  }

  /// The administrator's action on a refused passkey.
  package enum Action: String, CaseIterable, Sendable {
    /// Records the event `credential.distrusted` and notifies the owner.
    case notify
    /// Disables the passkey and ends all sessions of the account.
    case disable
  }
}

extension ServicePolicy {
  /// The effect on a sign-in or a confirmation if the current attestation policy refuses the passkey's stored
  /// attestation.
  public enum StoredAttestation: String, Hashable, Sendable, CaseIterable {
    /// No effect: the stored attestation is not verified again. A review lists such passkeys.
    case ignore
    /// Refuses the sign-in or the confirmation. Each one verifies the stored attestation, which takes about as long as
    /// the sign-in itself.
    case refuse
  }
}
