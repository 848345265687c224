// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import PasskeyStorage
package import WebAuthnTypes

extension DatabaseStorage {
  /// Stores an email ceremony and its code, and writes its mail (``EmailCeremonyStart``).
  ///
  /// - Returns: Whether it was stored; false if a recovery for the address is pending, so that no code was issued.
  package func begin(
    _ start: EmailCeremonyStart, spending grant: GrantSpending? = nil
  ) async throws(StorageError) -> Result<Bool, ServiceError> {
    let order = WriteOrder.objects(start.locks, spending: grant, recording: start.records)
    return try await write(order) { (transaction) throws(StorageError) in
      guard try transaction.spend(grant) else { return .refused(.stepUpGrantRefused) }
      let ceremony = start.ceremony
      let answers = try transaction.batch([
        // A decoy of an earlier request does not suppress a request that can recover the account by now.
        SQLStatement(
          """
          SELECT id FROM email_ceremonies
          WHERE email = $1 AND purpose = $2 AND expiry >= $3\(ceremony.isDecoy ? "" : " AND decoy = 0") LIMIT 1
          """,
          [.text(ceremony.email.text), .text(EmailCeremony.Purpose.recovery.rawValue), .time(ceremony.created)]),
        // Without an account, the sentinel is looked up: both cases cost the same.
        SQLStatement(Account.byHandleOrSentinel, [ceremony.account.map { .opaque($0) } ?? Sentinel.handle]),
      ])
      if ceremony.purpose == .recovery, answers.first?.isEmpty == false {
        try transaction.record(start.repeatedMail)
        return .success(false)
      }
      if try Account(orSentinel: answers.last)?.isClosed ?? (ceremony.account != nil) {
        if grant != nil { try transaction.record(start.audit.refused(with: .accountUnknown)) }
        return .refused(.accountUnknown)
      }
      try transaction.record(start.audit)
      try transaction.store(start)
      return .success(true)
    }
  }

  /// Returns the ceremony with this key, even if it has expired.
  package func emailCeremony(_ id: EmailCeremonyID) async throws(StorageError) -> EmailCeremony? {
    try await database.find { (transaction) throws(StorageError) in
      try EmailCeremony(transaction.rows(SQLStatement(EmailCeremony.byID, [.fixed(id)])))
    }
  }

  /// Returns the ceremony with this token, even if it has expired.
  package func emailCeremony(token: TokenDigest) async throws(StorageError) -> EmailCeremony? {
    try await database.find { (transaction) throws(StorageError) in
      try EmailCeremony(transaction.rows(SQLStatement(EmailCeremony.byToken, [.fixed(token)])))
    }
  }

  /// Returns the ceremonies of an account, the oldest first, even if they have expired.
  package func emailCeremonies(of user: UserHandle) async throws(StorageError) -> [EmailCeremony] {
    let statement = SQLStatement(EmailCeremony.ofAccount, [.opaque(user)])
    return try await database.read { (transaction) throws(StorageError) in
      try transaction.rows(statement).map { (row) throws(StorageError) in try EmailCeremony(row) }
    }
  }

  /// Sets the expiry of a ceremony that has not expired, and writes its mail again.
  ///
  /// - Returns: Whether the ceremony exists.
  package func repeatMail(_ repetition: EmailRepetition) async throws(StorageError) -> Bool {
    let objects = repetition.ceremony.locks + [.mailCount(repetition.limit)]
    return try await write(.objects(objects, recording: repetition.mail)) {
      (transaction) throws(StorageError) in
      guard let ceremony = try transaction.pendingEmail(repetition.ceremony.id, at: repetition.limit.time) else {
        return false
      }
      try transaction.run(
        SQLStatement(
          "UPDATE email_ceremonies SET expiry = $2 WHERE id = $1", [.fixed(ceremony.id), .time(repetition.expiry)]))
      let isAllowed = try transaction.countMail(repetition.limit)
      try transaction.record(isAllowed ? repetition.mail : repetition.mail.withoutNotices)
      return true
    }
  }

  /// Counts a wrong code, and records it. The last allowed one deletes the ceremony.
  ///
  /// - Parameters:
  ///   - ceremony: The ceremony, as it was read.
  ///   - maximumCount: The number of wrong codes that delete it.
  ///   - time: The current time.
  ///   - audit: The audit drafts. Personal details about accounts that do not exist are left out.
  /// - Returns: The number of attempts that are left; nil if the ceremony is unknown or has expired, and nothing changed.
  /// - Throws: A ``StorageError`` if the store fails.
  package func countWrongCode(
    for ceremony: EmailCeremony, atMost maximumCount: Int, at time: UnixTime, audit: [AuditDraft]
  ) async throws(StorageError) -> Int? {
    let id = ceremony.id
    return try await write(.objects(ceremony.locks, recording: audit)) { (transaction) throws(StorageError) in
      guard let ceremony = try transaction.pendingEmail(id, at: time) else { return nil }
      let failed = ceremony.failedAttempts + 1
      let left = max(0, maximumCount - failed)
      if left == 0 {
        try transaction.run(EmailCeremony.removal(id))
        try transaction.run(.markScrubDue)
      } else {
        try transaction.run(
          SQLStatement(
            "UPDATE email_ceremonies SET failed_attempts = $2 WHERE id = $1", [.fixed(id), .integer(Int64(failed))]))
      }
      let person = try Account(transaction.rows(SQLStatement(Account.byHandle, [.opaque(ceremony.account)])))
      try transaction.record(audit.map { (draft) in draft.keeping(person.map { [$0.handle] } ?? []) })
      return left
    }
  }

  /// Deletes a ceremony that has not expired, and changes the address of its account (``EmailCompletion``). Of any number of
  /// concurrent calls, on any number of servers, only one succeeds. A sign-up is completed by
  /// ``DatabaseStorage/register(_:)`` instead.
  package func complete(_ completion: EmailCompletion) async throws(StorageError) -> Result<Account, ServiceError> {
    let ceremony = completion.ceremony
    let order = WriteOrder.objects(ceremony.locks, recording: completion.audit)
    return try await write(order) { (transaction) throws(StorageError) in
      guard try transaction.pendingEmail(ceremony.id, at: completion.time) != nil, let handle = ceremony.account,
        let account = try Account(transaction.rows(SQLStatement(Account.byHandle, [.opaque(handle)]))),
        !account.isClosed, let changed = completion.applied(to: account)
      else { return .refused(.emailVerificationUnknown) }
      let owners = try transaction.rows(Account.owners(of: AccountNames(email: ceremony.email)))
      for row in owners where try Account(row).handle != handle { return .refused(.accountEmailTaken) }
      try transaction.run(changed.update)
      if ceremony.purpose == .verification {
        try transaction.run(EmailCeremony.removal(of: handle, .verification))
      } else {
        for purpose in [EmailCeremony.Purpose.verification, .addressChange, .recovery] {
          try transaction.run(EmailCeremony.removal(of: handle, purpose))
        }
        try transaction.run(EmailCeremony.removalOfMailedCodes(of: handle))
        if var farewell = completion.farewell, let replaced = account.email {
          farewell.email = replaced
          try transaction.run(farewell.insertion)
        }
        try transaction.run(.markScrubDue)
      }
      try transaction.record(completion.audit)
      return .success(changed)
    }
  }

  /// Deletes a ceremony that has not expired, and stores the code that it issues.
  ///
  /// - Returns: Whether the ceremony exists. Of any number of concurrent calls only one finds it.
  package func complete(
    _ ceremony: EmailCeremony, issuing code: IssuedCode, at time: UnixTime, audit: [AuditDraft]
  ) async throws(StorageError) -> Bool {
    try await write(.objects(ceremony.locks, recording: audit)) { (transaction) throws(StorageError) in
      guard try transaction.pendingEmail(ceremony.id, at: time) != nil else { return false }
      try transaction.run(EmailCeremony.removal(ceremony.id))
      try transaction.run(code.insertion)
      try transaction.record(audit)
      return true
    }
  }

  /// Deletes the pending recoveries of an account, and the codes that were mailed for them.
  ///
  /// - Returns: Whether the account had one that has not expired. Otherwise nothing changed.
  package func cancelRecovery(
    of user: UserHandle, at time: UnixTime, audit: [AuditDraft]
  ) async throws(StorageError) -> Bool {
    try await write(.account(user, recording: audit)) { (transaction) throws(StorageError) in
      let removed = try transaction.rows(
        SQLStatement(
          "DELETE FROM email_ceremonies WHERE account = $1 AND purpose = $2 AND expiry >= $3 RETURNING id",
          [.opaque(user), .text(EmailCeremony.Purpose.recovery.rawValue), .time(time)]))
      guard !removed.isEmpty else { return false }
      try transaction.run(EmailCeremony.removalOfMailedCodes(of: user))
      try transaction.record(audit)
      return true
    }
  }
}
