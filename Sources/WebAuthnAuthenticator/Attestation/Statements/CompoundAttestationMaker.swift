// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WebAuthnTypes
public import WireFormats

/// Several statements at once (§8.9): an array of two or more, none of them compound.
public struct CompoundAttestationMaker: AttestationMaker {
  private let members: [any AttestationMaker]

  /// Has each of these make its statement.
  public init(_ members: [any AttestationMaker]) {
    self.members = members
  }

  /// `compound`
  public var format: AttestationFormat { .compound }

  /// Each statement with its format.
  public func statement(for subject: AttestationSubject) throws(CryptoError) -> CBORTree {
    var statements: [CBORTree] = []
    for member in members {
      statements.append(["fmt": .text(member.format.rawValue), "attStmt": try member.statement(for: subject)])
    }
    return .array(statements)
  }
}
