// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// A new email ceremony and its mail, committed in one transaction.
///
/// 1. If the ceremony is a recovery and one for the same address has not expired, records ``repeatedMail`` and stores nothing.
///    A decoy suppresses only decoys.
/// 2. If the ceremony names an account, checks that it exists and is not closed.
/// 3. Deletes earlier changes of address of the account, if this is one. Stores the ceremony, and the code besides the codes
///    that the account has.
/// 4. Counts the mail if there is a limit. Records ``audit``, and ``mail``: without its notices if the limit is exceeded.
package struct EmailCeremonyStart: Hashable, Sendable {
  /// The ceremony.
  package var ceremony: EmailCeremony

  /// The code of a recovery or an invitation; nil for the other purposes.
  package var code: IssuedCode?

  /// The limit on the mails of the address; nil for none.
  package var limit: MailLimit?

  /// The audit drafts.
  package var audit: [AuditDraft]

  /// The audit drafts whose notices are the mail.
  package var mail: [AuditDraft]

  /// Creates a start from its fields.
  package init(
    _ ceremony: EmailCeremony, code: IssuedCode? = nil, limit: MailLimit?, audit: [AuditDraft] = [],
    mail: [AuditDraft]
  ) {
    self.ceremony = ceremony
    self.code = code
    self.limit = limit
    self.audit = audit
    self.mail = mail
  }
}

/// A limit on the mails that an address receives within a period, which begins with the first of them.
package struct MailLimit: Hashable, Sendable {
  /// The maximum number of mails.
  package var maximumCount: Int

  /// A keyed hash of the address. A store counts by it, so that no count contains an address.
  package var key: String

  /// The current time.
  package var time: UnixTime

  /// The end of the period, if it begins now.
  package var end: UnixTime

  /// Creates a limit.
  package init(_ maximumCount: Int, of key: String, at time: UnixTime, until end: UnixTime) {
    self.maximumCount = maximumCount
    self.key = key
    self.time = time
    self.end = end
  }
}

/// A mail that is written again for a pending email ceremony.
package struct EmailRepetition: Hashable, Sendable {
  /// The ceremony, as it was read.
  package var ceremony: EmailCeremony

  /// The new expiry time.
  package var expiry: UnixTime

  /// The limit on the mails of the address.
  package var limit: MailLimit

  /// The audit drafts whose notices are the mail. The notices are left out if the limit is exceeded.
  package var mail: [AuditDraft]

  /// Creates a repetition from its fields.
  package init(_ ceremony: EmailCeremony, until expiry: UnixTime, limit: MailLimit, mail: [AuditDraft]) {
    self.ceremony = ceremony
    self.expiry = expiry
    self.limit = limit
    self.mail = mail
  }
}

extension EmailCeremonyStart {
  /// The drafts to record if a recovery is pending already, so that no mail is sent.
  package var repeatedMail: [AuditDraft] {
    ceremony.isDecoy ? mail.withoutNotices : mail.refused(with: .recoveryPending)
  }
}

extension [AuditDraft] {
  /// The drafts without notices.
  package var withoutNotices: [AuditDraft] {
    map { (draft) in
      var quiet = draft
      quiet.notices = []
      return quiet
    }
  }
}
