// SPDX-License-Identifier: Apache-2.0

/// The outcome of a transaction that may spend a grant.
package protocol ConfirmedOutcome: Sendable {
  /// The error code of a refusal, for callers and audit records; nil if the transaction succeeded.
  var refusal: ServiceError.Code? { get }

  /// The grant does not match this action. It has been deleted.
  static var grantRefused: Self { get }
}

extension AccountCreationOutcome: ConfirmedOutcome {
  /// The error code of a refusal; nil if the account was created.
  package var refusal: ServiceError.Code? {
    switch self {
    case .created: nil
    case .emailTaken: .accountEmailTaken
    case .usernameTaken: .accountUsernameTaken
    case .grantRefused: .stepUpGrantRefused
    }
  }
}

extension AccountChangeOutcome: ConfirmedOutcome {
  /// The error code of a refusal; nil if the account was changed.
  package var refusal: ServiceError.Code? {
    switch self {
    case .changed: nil
    case .unknown: .accountUnknown
    case .stateConflict: .accountStateConflict
    case .lastAdministrator: .accountLastAdministrator
    case .grantRefused: .stepUpGrantRefused
    }
  }
}

extension AccountApprovalOutcome: ConfirmedOutcome {
  /// The error code of a refusal; nil if accounts were approved.
  package var refusal: ServiceError.Code? {
    switch self {
    case .approved: nil
    case .grantRefused: .stepUpGrantRefused
    }
  }
}

extension AccountErasureOutcome: ConfirmedOutcome {
  /// The error code of a refusal; nil if the account was erased.
  package var refusal: ServiceError.Code? {
    switch self {
    case .erased: nil
    case .unknown: .accountUnknown
    case .lastAdministrator: .accountLastAdministrator
    case .grantRefused: .stepUpGrantRefused
    }
  }
}

extension CredentialDeletionOutcome: ConfirmedOutcome {
  /// The error code of a refusal; nil if the passkey was deleted.
  package var refusal: ServiceError.Code? {
    switch self {
    case .deleted: nil
    case .unknown: .credentialUnknown
    case .last: .credentialLast
    case .grantRefused: .stepUpGrantRefused
    }
  }
}

extension CodeIssueOutcome: ConfirmedOutcome {
  /// The error code of a refusal; nil if the code was issued.
  package var refusal: ServiceError.Code? {
    switch self {
    case .issued: nil
    case .unknownAccount: .accountUnknown
    case .grantRefused: .stepUpGrantRefused
    }
  }
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
