// SPDX-License-Identifier: Apache-2.0

/// A passkey that is stored, with what came of it.
public struct RegisteredPasskey: Sendable {
  /// The passkey.
  public let passkey: Passkey

  /// Whose it is.
  public let account: Account

  /// The session that was opened by the way; nil where the account has to be approved first, or where the passkey was added
  /// in a session that there is.
  public let opened: OpenedSession?
}
