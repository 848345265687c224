// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// The result of a registration.
public struct RegisteredAccount: Sendable {
  /// The account.
  public let account: ServerAccount

  /// The new passkey.
  public let credential: CredentialID

  /// The new session, or the session in which the passkey was added. Nil without a session, for example while the
  /// account waits for approval.
  public let session: ServerSession?

  /// Whether an administrator must approve the account first.
  public let isPending: Bool
}
