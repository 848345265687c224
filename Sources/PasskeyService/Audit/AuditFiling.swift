// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// Under what a store has put a record, so that it is found: all of it stands in the record too, where the chain protects
/// it.
public struct AuditFiling: Hashable, Sendable {
  /// The record's number.
  public var sequence: Int64

  /// Whom it happened to, or who did it where it happened to nobody.
  public var person: UserHandle?

  /// Who did it, where that is somebody else.
  public var other: UserHandle?

  /// Puts together what a store has.
  public init(sequence: Int64, person: UserHandle?, other: UserHandle?) {
    self.sequence = sequence
    self.person = person
    self.other = other
  }
}

extension AuditRecord {
  /// Under what a store puts it.
  public var filing: AuditFiling {
    let person = account ?? actor
    return AuditFiling(sequence: sequence, person: person, other: actor == person ? nil : actor)
  }
}
