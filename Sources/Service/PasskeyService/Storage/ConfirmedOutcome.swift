// SPDX-License-Identifier: Apache-2.0

internal import PasskeyStorage

/// The outcome of a transaction that may spend a grant.
package protocol ConfirmedOutcome: Sendable {
  /// The error code of a refusal, for callers and audit records; nil if the transaction succeeded.
  var refusal: ServiceError.Code? { get }

  /// The grant does not match this action. It has been deleted.
  static var grantRefused: Self { get }
}

extension [AuditDraft] {
  /// Returns the drafts to record when a grant was spent on an action that is then refused: the spending stays as it
  /// is, and the other drafts get `code` as their outcome and write no notices.
  package func refused(with code: ServiceError.Code) -> [AuditDraft] {
    map { draft in
      guard draft.event != .stepUpSpent else { return draft }
      var refused = draft
      refused.outcome = code.rawValue
      refused.notices = []
      return refused
    }
  }
}

extension SQLWrite {
  /// Runs an action if its grant matches, and appends its audit records. A refused action is recorded only if it spent a
  /// grant.
  func perform<Outcome: ConfirmedOutcome>(
    spending grant: GrantSpending?, _ audit: [AuditDraft], _ act: () throws(StorageError) -> Outcome
  ) throws(StorageError) -> Outcome {
    guard try spend(grant) else { return .grantRefused }
    let outcome = try act()
    if let code = outcome.refusal {
      if grant != nil { try record(audit.refused(with: code)) }
    } else {
      try record(audit)
    }
    return outcome
  }
}
