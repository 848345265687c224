// SPDX-License-Identifier: Apache-2.0

/// A session that is to be stored, with the hashes of its tokens.
public struct SessionOpening: Hashable, Sendable {
  /// The session.
  public var session: Session

  /// The hash of its token.
  public var token: TokenDigest

  /// The token by which it is renewed, where it can be.
  public var refresh: RefreshToken?

  /// How many sessions the account may have, with this one. The oldest ones end with everything that hangs on them.
  public var maximumCount = Int.max

  /// What is recorded of each session that ends so; a store sets its subject.
  public var auditOfEnding: AuditDraft?

  /// Puts together what is to be stored.
  public init(session: Session, token: TokenDigest, refresh: RefreshToken? = nil) {
    self.session = session
    self.token = token
    self.refresh = refresh
  }

  /// What is recorded of a session that ends because there are more than there may be.
  public func draft(_ ended: SessionID) -> AuditDraft? {
    var draft = auditOfEnding
    draft?.subject = AuditSubject.session(ended).text
    return draft
  }
}
