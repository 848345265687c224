// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// The changes of a finished re-verification, committed in one transaction.
package struct ReverificationCommit: Sendable {
  /// The ceremony to spend; nil for a commit that finishes none.
  package var ceremony: CeremonyID?

  /// The changes to the credential.
  package var use: CredentialUse

  /// The session. It must belong to the credential's owner.
  package var session: AccountSessionID

  /// The time of the assertion, which becomes the session's last verification and last use.
  package var time: UnixTime

  /// The audit drafts.
  package var audit: [AuditDraft]

  /// Creates a commit from its fields.
  package init(use: CredentialUse, session: AccountSessionID, time: UnixTime, audit: [AuditDraft]) {
    self.use = use
    self.session = session
    self.time = time
    self.audit = audit
  }
}

/// The outcome of a re-verification.
package enum ReverificationOutcome: Hashable, Sendable {
  /// The ceremony is spent. Comes before the others.
  case ceremonySpent
  /// The session was verified and now has this value.
  case verified(AccountSession)
  /// The credential has changed since it was read, or is deleted.
  case credentialChanged
  /// The session has ended.
  case sessionEnded
}
