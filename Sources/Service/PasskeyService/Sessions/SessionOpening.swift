// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnTypes

/// A new session to store, with the hashes of its tokens.
package struct SessionOpening: Hashable, Sendable {
  /// The session.
  package var session: AccountSession

  /// The hash of the session token.
  package var token: TokenDigest

  /// The refresh token; nil if the session cannot be renewed.
  package var refresh: RefreshToken?

  /// The maximum number of sessions of the account, including this one. The store ends the oldest beyond it, with their
  /// refresh tokens and grants.
  package var maximumCount = Int.max

  /// Whether a pending account may hold the session.
  package var allowsPending = false

  /// The audit draft for each session that ends because of the maximum. The store sets its subject.
  package var auditOfEnding: AuditDraft?

  /// Creates an opening from its fields.
  package init(session: AccountSession, token: TokenDigest, refresh: RefreshToken? = nil) {
    self.session = session
    self.token = token
    self.refresh = refresh
  }

  /// Returns whether the account's state admits the session.
  package func isAdmitted(by account: Account) -> Bool {
    account.state == .active || (allowsPending && account.state == .pending)
  }

  /// Returns the audit draft for a session that ends because of the maximum.
  package func draft(_ ended: AccountSessionID) -> AuditDraft? {
    var draft = auditOfEnding
    draft?.subject = AuditSubject.session(ended).text
    return draft
  }
}

/// A refresh token as stored. Each can be used once. Spent tokens are kept until their expiry, so that a reuse is
/// detected.
package struct RefreshToken: Hashable, Sendable {
  /// The token's hash, which is its key.
  package var digest: TokenDigest

  /// The session that the token renews. All refresh tokens of one session form a family.
  package var session: AccountSessionID

  /// The session's account.
  package var user: UserHandle

  /// The expiry time.
  package var expiry: UnixTime

  /// Whether the token was used.
  package var isSpent: Bool

  /// The time of use; nil if unknown.
  package var spentAt: UnixTime?

  /// The keyed hash of the client that used the token; nil if unknown.
  package var spentBy: [UInt8]?

  /// Creates a refresh token from its stored fields.
  package init(
    digest: TokenDigest, session: AccountSessionID, user: UserHandle, expiry: UnixTime, isSpent: Bool = false
  ) {
    self.digest = digest
    self.session = session
    self.user = user
    self.expiry = expiry
    self.isSpent = isSpent
  }
}
