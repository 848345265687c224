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
