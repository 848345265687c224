// SPDX-License-Identifier: Apache-2.0

/// A session that is to be stored, with the hashes of its tokens.
public struct SessionOpening: Hashable, Sendable {
  /// The session.
  public var session: Session

  /// The hash of its token.
  public var token: TokenDigest

  /// The token by which it is renewed, where it can be.
  public var refresh: RefreshToken?

  /// Puts together what is to be stored.
  public init(session: Session, token: TokenDigest, refresh: RefreshToken? = nil) {
    self.session = session
    self.token = token
    self.refresh = refresh
  }
}
