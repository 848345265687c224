// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

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
