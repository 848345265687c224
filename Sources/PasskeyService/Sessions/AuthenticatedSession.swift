// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// Proof that a request was made by somebody who is signed in. Only ``AuthService/authenticate(_:in:)`` makes one.
public struct AuthenticatedSession: Hashable, Sendable {
  /// The session.
  public let session: Session

  /// Whose it is, as it is now.
  public let account: Account

  /// When the session ends, if nothing else ends it.
  public let expiry: Timestamp

  /// Whether that is soon, so that somebody should be warned.
  public let isAboutToExpire: Bool
}

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
