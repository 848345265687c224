// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

/// The purpose of a pending ceremony, fixed when it begins.
enum CeremonyIntent: Hashable, Sendable {
  /// Creates an account with its first passkey.
  case signUp(Account, code: TokenDigest?)
  /// Registers a passkey for an account whose owner has lost theirs.
  case recovery(UserHandle, code: TokenDigest)
  /// Adds a passkey, in a session.
  case addition(UserHandle, session: SessionID)
  /// Opens a session.
  case signIn
  /// Grants a confirmation, in a session.
  case stepUp(session: SessionID)
}
