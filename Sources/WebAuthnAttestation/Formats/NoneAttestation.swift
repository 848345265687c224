// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// The statement that says nothing (WebAuthn Level 3 §8.7).
struct NoneAttestation {
  init(parsing statement: CBORValue) throws(AttestationError) {
    // The syntax is an empty map; one with something in it is a statement whose format was renamed on the way.
    guard try AttestationStatement(statement).isEmpty else { throw AttestationError(.statementNotEmpty) }
  }

  func verify() -> VerifiedStatement { VerifiedStatement(type: .none, claims: .nothing) }
}
