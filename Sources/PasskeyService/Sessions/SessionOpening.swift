// SPDX-License-Identifier: Apache-2.0

/// A new session to store, with the hashes of its tokens.
public struct SessionOpening: Hashable, Sendable {
  /// The session.
  public var session: Session

  /// The hash of the session token.
  public var token: TokenDigest

  /// The refresh token; nil if the session cannot be renewed.
  public var refresh: RefreshToken?

  /// The maximum number of sessions of the account, including this one. The store ends the oldest beyond it, with their
  /// refresh tokens and grants.
  public var maximumCount = Int.max

  /// The audit draft for each session that ends because of the maximum. The store sets its subject.
  public var auditOfEnding: AuditDraft?

  /// Creates an opening from its fields.
  public init(session: Session, token: TokenDigest, refresh: RefreshToken? = nil) {
    self.session = session
    self.token = token
    self.refresh = refresh
  }

  /// Returns the audit draft for a session that ends because of the maximum.
  public func draft(_ ended: SessionID) -> AuditDraft? {
    var draft = auditOfEnding
    draft?.subject = AuditSubject.session(ended).text
    return draft
  }
}
