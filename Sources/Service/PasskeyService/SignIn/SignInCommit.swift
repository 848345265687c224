// SPDX-License-Identifier: Apache-2.0

/// The changes of a finished sign-in, committed in one transaction.
package struct SignInCommit: Sendable {
  /// The ceremony to spend; nil for a commit that finishes none.
  package var ceremony: CeremonyID?

  /// The changes to the credential.
  package var use: CredentialUse

  /// The session to open.
  package var opening: SessionOpening

  /// The client to store, in place of the same one with another expiry; nil for none.
  package var client: KnownClient?

  /// The locale to store, if the account lacked a part of it; nil for none.
  package var locale: MailLocale?

  /// The audit drafts.
  package var audit: [AuditDraft]

  /// Creates a commit from its fields.
  package init(use: CredentialUse, opening: SessionOpening, audit: [AuditDraft]) {
    self.use = use
    self.opening = opening
    self.audit = audit
  }
}

/// The outcome of a sign-in.
package enum SignInOutcome: Hashable, Sendable {
  /// The ceremony is spent. Comes before the others.
  case ceremonySpent
  /// The session was opened.
  case opened
  /// The credential has changed since it was read, or is deleted.
  case credentialChanged
  /// The account's state does not admit the session (``SessionOpening/isAdmitted(by:)``).
  case accountRefused
}
