// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WebAuthnTypes
public import WireFormats

/// Compound attestation (§8.9): an array of two or more statements, none of them compound.
public struct CompoundAttestationMaker: AttestationMaker {
  private let members: [any AttestationMaker]

  /// Creates a maker that combines the statements of `members`.
  public init(_ members: [any AttestationMaker]) {
    self.members = members
  }

  /// `compound`
  public var format: AttestationFormat { .compound }

  /// Returns an array with each member's format and statement.
  public func statement(for subject: AttestationSubject) throws(CryptoError) -> CBORTree {
    var statements: [CBORTree] = []
    for member in members {
      statements.append(["fmt": .text(member.format.rawValue), "attStmt": try member.statement(for: subject)])
    }
    return .array(statements)
  }
}
