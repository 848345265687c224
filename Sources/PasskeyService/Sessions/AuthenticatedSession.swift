// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// Proof that a request is authenticated. Only ``AuthService/authenticate(_:in:)`` creates one.
public struct AuthenticatedSession: Hashable, Sendable {
  /// The session.
  public let session: Session

  /// The session's account, as read with this request.
  public let account: Account

  /// The time when the session token expires. The session can end earlier.
  public let expiry: Timestamp

  /// Whether the session expires soon, so that the user should be warned.
  public let isAboutToExpire: Bool
}
