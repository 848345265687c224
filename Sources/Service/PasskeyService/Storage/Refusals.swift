// SPDX-License-Identifier: Apache-2.0

internal import PasskeyStorage

extension Result where Failure == ServiceError {
  /// The result of a transaction that refuses its action: it commits the spent grant, and records of the refusal.
  static func refused(_ code: ServiceError.Code, _ detail: String? = nil) -> Self {
    .failure(ServiceError(code, detail))
  }
}

extension [AuditDraft] {
  /// Returns the drafts to record when a grant was spent on an action that is then refused: the spending stays as it
  /// is, and the other drafts get `code` as their outcome and write no notices.
  func refused(with code: ServiceError.Code) -> [AuditDraft] {
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
  /// Runs an action if its grant matches, and appends its audit records. A grant is deleted if it is found, whether or not it
  /// matches, and is spent even if the action is then refused. A refused action is recorded only if it spent a grant.
  func perform<Value>(
    spending grant: GrantSpending?, _ audit: [AuditDraft],
    _ act: () throws(StorageError) -> Result<Value, ServiceError>
  ) throws(StorageError) -> Result<Value, ServiceError> {
    guard try spend(grant) else { return .refused(.stepUpGrantRefused) }
    let outcome = try act()
    switch outcome {
    case .success: try record(audit)
    case .failure(let error): if grant != nil { try record(audit.refused(with: error.code)) }
    }
    return outcome
  }
}
