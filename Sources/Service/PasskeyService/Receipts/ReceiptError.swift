// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The reason why a receipt proves nothing. Every function that reads or verifies receipts throws this type.
package struct ReceiptError: CodedError {
  /// The cause.
  package let code: Code

  /// The values that were compared, or the malformed part.
  package let detail: String

  /// Creates an error.
  package init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }

  /// The causes of an error. Raw values are stable: cases are added, never renamed.
  @nonexhaustive
  package enum Code: String, CaseIterable, Sendable {
    /// The file is not a receipt of a known version in its only spelling.
    case malformed = "receipt.malformed"
    /// The receipt, or its authenticator data, names another RP ID than the expected one.
    case relyingPartyMismatch = "receipt.rp-id-mismatch"
    /// The receipt is for another action than the expected one.
    case actionMismatch = "receipt.action-mismatch"
    /// The client data of the receipt are malformed or not those of an authentication.
    case clientDataInvalid = "receipt.client-data-invalid"
    /// The challenge that the passkey signed does not name the action of the receipt.
    case challengeMismatch = "receipt.challenge-mismatch"
    /// The authenticator data of the receipt are malformed, or do not say that the user was verified.
    case userNotVerified = "receipt.user-not-verified"
    /// The public key of the receipt is malformed or not supported.
    case keyInvalid = "receipt.key-invalid"
    /// The public key of the receipt is not one of the expected keys.
    case keyMismatch = "receipt.key-mismatch"
    /// The signature of the receipt does not match.
    case signatureInvalid = "receipt.signature-invalid"
    /// The inclusion proof or the checkpoint of the receipt is refused.
    case logRefused = "receipt.log-refused"
    /// The record in the log is not of this confirmation.
    case recordMismatch = "receipt.record-mismatch"
  }
}
