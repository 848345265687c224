// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

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
    case .signUp, .newAddress, .recovery, .replacedAddress, .invitation: return nil
    }
    changed.emailVerified = time
    changed.awaitsVerification = false
    changed.updated = time
    return changed
  }
}
