// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

/// The meaning of the UV flag in a sign-in (WebAuthn §4, "uvInitialized").
///
/// The first time that an authenticator sets the flag, the relying party has no reason yet to trust its user verification: a
/// stolen security key without a PIN lets the thief set one. The flag counts from the next ceremony on after
/// ``VerifiedAuthentication/credentialInitializingUserVerificationAfterAnotherFactor()``.
public enum UserVerificationSignal: Hashable, Sendable {
  /// UV is clear: the sign-in proves possession of the credential alone.
  case notPerformed

  /// UV is set, and `uvInitialized` is false: it must not be relied upon as a factor. Possession alone is proven.
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
