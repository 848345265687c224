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

  /// The verification that the account awaits; nil if it awaits none. While it is pending, the account and the passkey may
  /// not exist in the store: do not send them to the client.
  public let verification: StartedVerification?

  init(
    passkey: Passkey, account: Account, opened: OpenedSession?, verification: StartedVerification? = nil
  ) {
    self.passkey = passkey
    self.account = account
    self.opened = opened
    self.verification = verification
  }
}
