// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// What a registration gave.
public struct RegisteredAccount: Sendable {
  /// The account.
  public let account: ServerAccount

  /// The new passkey.
  public let credential: CredentialID

  /// The session that was opened, or in which the passkey was added; nil where there is none, as while an account waits for
  /// its approval.
  public let session: ServerSession?

  /// Whether somebody has to approve the account first.
  public let isPending: Bool
}
