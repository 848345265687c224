// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

extension SQLWrite {
  /// Runs an action if its grant fits, and appends its audit records. A refused action is recorded only if it spent a
  /// grant.
  func carryOut<Outcome: ConfirmedOutcome>(
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
