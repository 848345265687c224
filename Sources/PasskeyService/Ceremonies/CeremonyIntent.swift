// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

/// What a pending ceremony is to lead to, decided when it was begun.
enum CeremonyIntent: Hashable, Sendable {
  /// An account that is made with its first passkey.
  case signUp(Account, code: TokenDigest?)
  /// A passkey for an account whose owner has lost theirs.
  case recovery(UserHandle, code: TokenDigest)
  /// One more passkey, in a session.
  case addition(UserHandle, session: SessionID)
  /// A session.
  case signIn
  /// A confirmation, in a session.
  case stepUp(session: SessionID)
}
