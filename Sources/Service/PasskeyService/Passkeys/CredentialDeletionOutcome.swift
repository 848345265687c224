// SPDX-License-Identifier: Apache-2.0

/// The outcome of deleting a passkey.
package enum CredentialDeletionOutcome: Hashable, Sendable {
  /// The passkey was deleted.
  case deleted
  /// The account has no passkey with this ID; another account may have it.
  case unknown
  /// The account has no other enabled passkey, and the caller did not allow deleting the last one.
  case last
  /// The grant does not match this action.
  case grantRefused
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
