// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The empty statement of the format `none` (WebAuthn Level 3 §8.7).
struct NoneAttestation {
  init(parsing statement: CBORValue) throws(AttestationError) {
    // The syntax is an empty map. A non-empty one belongs to a format whose name was replaced in transit.
    guard try AttestationStatement(statement).isEmpty else { throw AttestationError(.statementNotEmpty) }
  }

  func verify() -> VerifiedStatement { VerifiedStatement(type: .none, claims: .nothing) }
}
