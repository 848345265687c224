// SPDX-License-Identifier: Apache-2.0

/// The changes of a finished step-up, committed in one transaction.
package struct StepUpCommit: Sendable {
  /// The ceremony to spend; nil for a commit that finishes none.
  package var ceremony: CeremonyID?

  /// The changes to the credential.
  package var use: CredentialUse

  /// The grant to store, if its session still exists.
  package var grant: StepUpGrant

  /// The audit drafts.
  package var audit: [AuditDraft]

  /// Creates a commit from its fields.
  package init(use: CredentialUse, grant: StepUpGrant, audit: [AuditDraft]) {
    self.use = use
    self.grant = grant
    self.audit = audit
  }
}

/// The outcome of a confirmation.
package enum StepUpOutcome: Hashable, Sendable {
  /// The ceremony is spent. Comes before the others.
  case ceremonySpent
  /// The grant was stored.
  case granted
  /// The credential has changed since it was read, or is deleted.
  case credentialChanged
  /// The session has ended.
  case sessionEnded
}
