// SPDX-License-Identifier: Apache-2.0

/// What became of an act that may take a confirmation.
public protocol ConfirmedOutcome: Sendable {
  /// With what it was refused, as callers are told and audit records have it; nil where it was done.
  var refusal: ServiceError.Code? { get }

  /// The grant is not for this act, and is gone.
  static var grantRefused: Self { get }
}

extension KeepOutcome: ConfirmedOutcome {
  /// With what it was refused.
  public var refusal: ServiceError.Code? {
    switch self {
    case .kept: nil
    case .grantRefused: .stepUpGrantRefused
    }
  }
}

extension AccountCreation: ConfirmedOutcome {
  /// With what it was refused.
  public var refusal: ServiceError.Code? {
    switch self {
    case .created: nil
    case .emailTaken: .accountEmailTaken
    case .grantRefused: .stepUpGrantRefused
    }
  }
}

extension AccountChangeOutcome: ConfirmedOutcome {
  /// With what it was refused.
  public var refusal: ServiceError.Code? {
    switch self {
    case .changed: nil
    case .unknown: .accountUnknown
    case .stateConflict: .accountStateConflict
    case .lastAdministrator: .accountLastAdministrator
    case .grantRefused: .stepUpGrantRefused
    }
  }
}

extension ErasureOutcome: ConfirmedOutcome {
  /// With what it was refused.
  public var refusal: ServiceError.Code? {
    switch self {
    case .erased: nil
    case .unknown: .accountUnknown
    case .lastAdministrator: .accountLastAdministrator
    case .grantRefused: .stepUpGrantRefused
    }
  }
}

extension CredentialDeletion: ConfirmedOutcome {
  /// With what it was refused.
  public var refusal: ServiceError.Code? {
    switch self {
    case .deleted: nil
    case .unknown: .credentialUnknown
    case .last: .credentialLast
    case .grantRefused: .stepUpGrantRefused
    }
  }
}

extension CodeIssue: ConfirmedOutcome {
  /// With what it was refused.
  public var refusal: ServiceError.Code? {
    switch self {
    case .issued: nil
    case .unknownAccount: .accountUnknown
    case .grantRefused: .stepUpGrantRefused
    }
  }
}

extension [AuditDraft] {
  /// What a store records where a grant was spent on an act that is then refused: that it was spent, and with what the act
  /// was refused.
  public func refused(with code: ServiceError.Code) -> [AuditDraft] {
    map { draft in
      guard draft.event != .stepUpSpent else { return draft }
      var refused = draft
      refused.outcome = code.rawValue
      return refused
    }
  }
}
