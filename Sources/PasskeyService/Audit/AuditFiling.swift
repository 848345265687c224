// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// Under what a store has put a record, so that it is found: all of it stands in the record too, where the chain protects
/// it.
public struct AuditFiling: Hashable, Sendable {
  /// The record's number.
  public var sequence: Int64

  /// Whom it happened to, or who did it where it happened to nobody; the record's hash where it names nobody at all.
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
  ///
  /// A record that names nobody is filed under its own hash, which is no one's handle: what is refused to a stranger takes
  /// the same writes as what is refused to an account, so that time does not tell them apart.
  public var filing: AuditFiling {
    guard let person = account ?? actor else {
      return AuditFiling(sequence: sequence, person: try? UserHandle(hash[...]), other: nil)
    }
    return AuditFiling(sequence: sequence, person: person, other: actor == person ? nil : actor)
  }

  /// Whether this is under what it was put, now or by an earlier version, which filed nobody's under nothing.
  func isFiled(under other: AuditFiling) -> Bool {
    if account == nil, actor == nil, other == AuditFiling(sequence: sequence, person: nil, other: nil) { return true }
    return filing == other
  }
}
