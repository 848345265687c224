// SPDX-License-Identifier: Apache-2.0

/// The outcome of creating an account.
package enum AccountCreationOutcome: Hashable, Sendable {
  /// The account was stored.
  case created
  /// Another account has the address.
  case emailTaken
  /// Another account has the user name.
  case usernameTaken
  /// The grant does not match this action. It has been deleted.
  case grantRefused
}

/// The outcome of changing an account.
package enum AccountChangeOutcome: Hashable, Sendable {
  /// The account was changed to this.
  case changed(Account)
  /// The account does not exist.
  case unknown
  /// The change is not valid in the account's state.
  case stateConflict
  /// The change would remove the last acting administrator.
  case lastAdministrator
  /// The grant does not match this action. It has been deleted.
  case grantRefused
}

/// The outcome of approving several accounts.
package enum AccountApprovalOutcome: Hashable, Sendable {
  /// These accounts were approved.
  case approved([Account])
  /// The grant does not match this action. It has been deleted.
  case grantRefused
}

/// The outcome of erasing an account.
package enum AccountErasureOutcome: Hashable, Sendable {
  /// The account and its data were erased.
  case erased
  /// The account does not exist.
  case unknown
  /// The account is the last acting administrator.
  case lastAdministrator
  /// The grant does not match this action. It has been deleted.
  case grantRefused
}

/// The outcome of issuing a code.
package enum CodeIssueOutcome: Hashable, Sendable {
  /// The code was stored.
  case issued
  /// The account does not exist.
  case unknownAccount
  /// The grant does not match this action. It has been deleted.
  case grantRefused
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
