// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnTypes

/// Storage of email ceremonies, and of the number of mails that an address was sent.
package protocol EmailStorage: Sendable {
  /// Stores an email ceremony and its code, and writes its mail (``EmailCeremonyStart``).
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func begin(
    _ start: EmailCeremonyStart, spending grant: GrantSpending?
  ) async throws(StorageError) -> EmailStartOutcome

  /// Returns the ceremony with this key, even if it has expired.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func emailCeremony(_ id: EmailCeremonyID) async throws(StorageError) -> EmailCeremony?

  /// Returns the ceremony with this token, even if it has expired.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func emailCeremony(token: TokenDigest) async throws(StorageError) -> EmailCeremony?

  /// Returns the ceremonies of an account, the oldest first, even if they have expired.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func emailCeremonies(of user: UserHandle) async throws(StorageError) -> [EmailCeremony]

  /// Sets the expiry of a ceremony that has not expired, and writes its mail again.
  ///
  /// - Returns: Whether the ceremony exists.
  /// - Throws: A ``StorageError`` if the store fails.
  func repeatMail(_ repetition: EmailRepetition) async throws(StorageError) -> Bool

  /// Counts a wrong code, and records it. The last allowed one deletes the ceremony.
  ///
  /// - Parameters:
  ///   - ceremony: The ceremony, as it was read.
  ///   - maximumCount: The number of wrong codes that delete it.
  ///   - time: The current time.
  ///   - audit: The audit drafts. Personal details about accounts that do not exist are left out.
  /// - Returns: The number of attempts that are left; nil if the ceremony is unknown or has expired, and nothing changed.
  /// - Throws: A ``StorageError`` if the store fails.
  func countWrongCode(
    for ceremony: EmailCeremony, atMost maximumCount: Int, at time: UnixTime, audit: [AuditDraft]
  ) async throws(StorageError) -> Int?

  /// Deletes a ceremony that has not expired, and changes the address of its account (``EmailCompletion``). Of any number of
  /// concurrent calls, on any number of servers, only one succeeds. A sign-up is completed by
  /// ``CredentialStorage/register(_:)`` instead.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func complete(_ completion: EmailCompletion) async throws(StorageError) -> EmailCompletionOutcome

  /// Deletes the pending recoveries of an account, and the codes that were mailed for them.
  ///
  /// - Returns: Whether the account had one that has not expired. Otherwise nothing changed.
  /// - Throws: A ``StorageError`` if the store fails.
  func cancelRecovery(of user: UserHandle, at time: UnixTime, audit: [AuditDraft]) async throws(StorageError) -> Bool
}

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

/// The outcome of beginning an email ceremony.
package enum EmailStartOutcome: Hashable, Sendable {
  /// The ceremony was stored.
  case started
  /// A recovery for the address is pending. No code was issued.
  case pending
  /// The account does not exist or is closed. Nothing was stored.
  case accountRefused
  /// The grant does not match this action. It has been deleted.
  case grantRefused
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

/// The effect of a correct code on an existing account, committed in one transaction.
///
/// 1. Checks that the ceremony exists and has not expired, and that its account exists and is not closed.
/// 2. For a verification, checks that the account still has the address. For a change, checks that no other account has it.
/// 3. Sets the address and the time of its verification. The account no longer waits for one.
/// 4. Deletes the ceremonies of the account: verifications only, or after a change all of them, with the codes that were
///    mailed to the earlier address.
/// 5. After a change of an account that had an address, stores ``farewell`` for that address. Records the audit drafts.
package struct EmailCompletion: Hashable, Sendable {
  /// The ceremony.
  package var ceremony: EmailCeremony

  /// The record for the mail to the replaced address. The store sets its address. Nil for a verification.
  package var farewell: EmailCeremony?

  /// The current time.
  package var time: UnixTime

  /// The audit drafts.
  package var audit: [AuditDraft]

  /// Creates a completion from its fields.
  package init(_ ceremony: EmailCeremony, farewell: EmailCeremony? = nil, at time: UnixTime, audit: [AuditDraft]) {
    self.ceremony = ceremony
    self.farewell = farewell
    self.time = time
    self.audit = audit
  }

  /// Returns the account with the verified address; nil if a verification is for another address than the account's.
  package func applied(to account: Account) -> Account? {
    var changed = account
    switch ceremony.purpose {
    case .verification: guard account.email == ceremony.email else { return nil }
    case .addressChange:
      guard let names = AccountNames(account.username, ceremony.email) else { return nil }
      changed.names = names
    case .signUp, .recovery, .replacedAddress, .invitation: return nil
    }
    changed.emailVerified = time
    changed.awaitsVerification = false
    changed.updated = time
    return changed
  }
}

/// The outcome of completing an email ceremony.
package enum EmailCompletionOutcome: Hashable, Sendable {
  /// The account now has this value.
  case completed(Account)
  /// The ceremony is unknown, finished or expired, or its account was closed or changed meanwhile.
  case unknown
  /// Another account has the address by now.
  case emailTaken
}

extension EmailStartOutcome: ConfirmedOutcome {
  /// The error code of a refusal; nil if the ceremony was stored or is pending.
  package var refusal: ServiceError.Code? {
    switch self {
    case .started, .pending: nil
    case .accountRefused: .accountUnknown
    case .grantRefused: .stepUpGrantRefused
    }
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
