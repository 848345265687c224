// SPDX-License-Identifier: Apache-2.0

/// The result of a finished registration: the stored passkey, its account, and the new session, if any.
public struct RegisteredPasskey: Sendable {
  /// The passkey.
  public let passkey: Passkey

  /// The owner's account.
  public let account: Account

  /// The session that the registration opened; nil if the account is pending, or if the passkey was added in an
  /// existing session.
  public let opened: OpenedSession?
}
