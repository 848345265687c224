// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// An opened or renewed session with its tokens. The server does not keep the tokens, so this is the only chance to
/// send them.
public struct OpenedSession: Sendable {
  /// The session.
  public let session: Session

  /// The session's account.
  public let account: Account

  /// The session token, which the client sends with each request.
  public let token: Token

  /// The refresh token; nil if the policy does not allow renewal.
  public let refreshToken: Token?

  /// The expiry time of the refresh token.
  public let refreshExpiry: Timestamp?
}
