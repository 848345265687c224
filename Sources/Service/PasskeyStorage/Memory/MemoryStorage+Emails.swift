// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import PasskeyService
package import WebAuthnTypes

extension MemoryStorage {
  /// Stores an email ceremony and its code, and writes its mail.
  package func begin(
    _ start: EmailCeremonyStart, spending grant: GrantSpending?
  ) throws(StorageError) -> EmailStartOutcome {
    guard spendGrant(grant) else { return .grantRefused }
    let ceremony = start.ceremony
    if ceremony.purpose == .recovery, emails.hasRecovery(like: ceremony) {
      trail.seal(start.repeatedMail)
      return .pending
    }
    if let handle = ceremony.account, accounts[handle]?.isClosed != false {
      if grant != nil { trail.seal(start.audit.refused(with: .accountUnknown)) }
      return .accountRefused
    }
    trail.seal(start.audit)
    try store(start)
    return .started
  }

  /// Stores a ceremony and its code, and writes its mail.
  func store(_ start: EmailCeremonyStart) throws(StorageError) {
    let ceremony = start.ceremony
    if let code = start.code { try checkUnused(code) }
    if ceremony.purpose == .addressChange {
      emails.remove { $0.purpose == .addressChange && $0.account == ceremony.account }
    }
    try emails.insert(ceremony)
    if let code = start.code { codes[code.digest] = code }
    let isAllowed = emails.countMail(start.limit)
    trail.seal(isAllowed ? start.mail : start.mail.withoutNotices)
  }

  /// Returns the email ceremony with this ID, or nil.
  package func emailCeremony(_ id: EmailCeremonyID) throws(StorageError) -> EmailCeremony? { emails[id] }

  /// Returns the email ceremony with this token, or nil.
  package func emailCeremony(token: TokenDigest) throws(StorageError) -> EmailCeremony? { emails[token] }

  /// Returns the email ceremonies of an account, the oldest first.
  package func emailCeremonies(of user: UserHandle) throws(StorageError) -> [EmailCeremony] {
    emails.all { (ceremony) in ceremony.account == user }.sorted { (one, other) in
      one.created == other.created
        ? one.id.bytes.lexicographicallyPrecedes(other.id.bytes) : one.created < other.created
    }
  }

  /// Prolongs an email ceremony and writes its mail again. Returns false if it is unknown or expired.
  package func repeatMail(_ repetition: EmailRepetition) throws(StorageError) -> Bool {
    guard var ceremony = emails.pending(repetition.ceremony.id, at: repetition.limit.time) else { return false }
    ceremony.expiry = repetition.expiry
    emails.replace(ceremony)
    let isAllowed = emails.countMail(repetition.limit)
    trail.seal(isAllowed ? repetition.mail : repetition.mail.withoutNotices)
    return true
  }

  /// Counts a wrong code. Returns the number of attempts that are left, or nil if the ceremony is unknown or expired.
  package func countWrongCode(
    for counted: EmailCeremony, atMost maximumCount: Int, at time: UnixTime, audit: [AuditDraft]
  ) throws(StorageError) -> Int? {
    guard var ceremony = emails.pending(counted.id, at: time) else { return nil }
    ceremony.failedAttempts += 1
    let left = max(0, maximumCount - ceremony.failedAttempts)
    if left == 0 { emails.remove { $0.id == counted.id } } else { emails.replace(ceremony) }
    try append(audit, spending: nil)
    return left
  }

  /// Deletes an email ceremony and changes the address of its account.
  package func complete(_ completion: EmailCompletion) throws(StorageError) -> EmailCompletionOutcome {
    let ceremony = completion.ceremony
    guard emails.pending(ceremony.id, at: completion.time) != nil, let handle = ceremony.account,
      let account = accounts[handle], !account.isClosed, let changed = completion.applied(to: account)
    else { return .unknown }
    if let owner = accounts[.email(ceremony.email)], owner.handle != handle { return .emailTaken }
    accounts.replace(changed)
    if ceremony.purpose == .verification {
      emails.remove { $0.account == handle && $0.purpose == .verification }
    } else {
      emails.remove { $0.account == handle && $0.purpose != .replacedAddress }
      codes = codes.filter { $0.value.account != handle || $0.value.notBefore == nil }
      if var farewell = completion.farewell, let replaced = account.email {
        farewell.email = replaced
        try emails.insert(farewell)
      }
    }
    trail.seal(completion.audit)
    return .completed(changed)
  }

  /// Deletes the pending recoveries of an account, and their codes. Returns false if no recovery is pending.
  package func cancelRecovery(of user: UserHandle, at time: UnixTime, audit: [AuditDraft]) throws(StorageError) -> Bool
  {
    let count = emails.remove { $0.account == user && $0.purpose == .recovery && time <= $0.expiry }
    guard count > 0 else { return false }
    codes = codes.filter { $0.value.account != user || $0.value.notBefore == nil }
    trail.seal(audit)
    return true
  }
}
