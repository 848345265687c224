// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// A refresh token as stored. Each can be used once. Spent tokens are kept until their expiry, so that a reuse is
/// detected.
public struct RefreshToken: Hashable, Sendable {
  /// The token's hash, which is its key.
  public var digest: TokenDigest

  /// The session that the token renews. All refresh tokens of one session form a family.
  public var session: SessionID

  /// The session's account.
  public var user: UserHandle

  /// The expiry time.
  public var expiry: Timestamp

  /// Whether the token was used.
  public var isSpent: Bool

  /// The time of use; nil if unknown.
  public var spentAt: Timestamp?

  /// The keyed hash of the client that used the token; nil if unknown.
  public var spentBy: [UInt8]?

  /// Creates a refresh token from its stored fields.
  public init(digest: TokenDigest, session: SessionID, user: UserHandle, expiry: Timestamp, isSpent: Bool = false) {
    self.digest = digest
    self.session = session
    self.user = user
    self.expiry = expiry
    self.isSpent = isSpent
  }
}
