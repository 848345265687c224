// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// A session that was opened or renewed, with its tokens, which leave the server here and never again.
public struct OpenedSession: Sendable {
  /// The session.
  public let session: Session

  /// Whose it is.
  public let account: Account

  /// What is shown with each request.
  public let token: Token

  /// By what the session is renewed, where it can be.
  public let refreshToken: Token?

  /// Until when that is good.
  public let refreshExpiry: Timestamp?
}
