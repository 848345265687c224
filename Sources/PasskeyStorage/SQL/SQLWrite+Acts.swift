// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

extension SQLWrite {
  /// Carries an act out, where its grant fits, and records it; also that it was refused, where a grant was spent on it.
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
