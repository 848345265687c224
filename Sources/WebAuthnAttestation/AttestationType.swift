// SPDX-License-Identifier: Apache-2.0

/// The attestation type (WebAuthn §6.5.4): the signer of the statement, if the statement is trusted.
public enum AttestationType: String, Hashable, Sendable {
  /// No statement.
  case none
  /// The credential key signed its own statement.
  case `self`
  /// An attestation key that a batch of devices of one model shares.
  case basic
  /// An authority that identified the device by its endorsement key, as for TPMs.
  case attestationCA = "attca"
  /// An authority that certified this one credential of a device known to it.
  case anonymizationCA = "anonca"
  /// Another type, or several types at once.
  case unknown
}
