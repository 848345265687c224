// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// What a store has of a token by which a session is renewed. Each is good once; those that were used are kept as long as
/// they would have been good, so that using one again is noticed.
public struct RefreshToken: Hashable, Sendable {
  /// The token's hash, by which it is found.
  public var digest: TokenDigest

  /// The session that it renews. All tokens of one session are a family.
  public var session: SessionID

  /// Whose it is.
  public var user: UserHandle

  /// When it is too late.
  public var expiry: Timestamp

  /// Whether it has been used.
  public var isSpent: Bool

  /// When it was used; nil where that is not known.
  public var spentAt: Timestamp?

  /// What tells the client that used it from others; nil where that is not known.
  public var spentBy: [UInt8]?

  /// Puts together what a store has.
  public init(digest: TokenDigest, session: SessionID, user: UserHandle, expiry: Timestamp, isSpent: Bool = false) {
    self.digest = digest
    self.session = session
    self.user = user
    self.expiry = expiry
    self.isSpent = isSpent
  }
}
