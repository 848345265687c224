// SPDX-License-Identifier: Apache-2.0

/// What an attestation statement is proof of (WebAuthn §6.5.4), where it is believed.
public enum AttestationType: String, Hashable, Sendable {
  /// Nothing: there is no statement.
  case none
  /// The credential key alone: it signed for itself.
  case `self`
  /// A model of authenticators, whose devices share a key in batches.
  case basic
  /// A device that an authority knows by its endorsement key, as TPMs have one.
  case attestationCA = "attca"
  /// A device that an authority knows, with a certificate for this one credential.
  case anonymizationCA = "anonca"
  /// Something else, or several things at once.
  case unknown
}
