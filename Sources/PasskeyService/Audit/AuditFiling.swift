// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// The index keys under which a store files a record. All of them are also in the record, where the chain protects
/// them.
public struct AuditFiling: Hashable, Sendable {
  /// The record's number.
  public var sequence: Int64

  /// The account that the event concerns; without one, the actor; without either, the record's hash.
  public var person: UserHandle?

  /// The actor, if it is another account than ``person``.
  public var other: UserHandle?

  /// Creates a filing from its stored fields.
  public init(sequence: Int64, person: UserHandle?, other: UserHandle?) {
    self.sequence = sequence
    self.person = person
    self.other = other
  }
}

extension AuditRecord {
  /// The index keys of the record.
  ///
  /// A record without accounts is filed under its own hash, which is not the handle of any account. Refusing an unknown
  /// client therefore takes the same number of writes as refusing an account, and timing does not reveal the
  /// difference.
  public var filing: AuditFiling {
    guard let person = account ?? actor else {
      return AuditFiling(sequence: sequence, person: try? UserHandle(hash[...]), other: nil)
    }
    return AuditFiling(sequence: sequence, person: person, other: actor == person ? nil : actor)
  }

  /// Returns whether `other` is a valid filing of this record. Earlier versions filed records without accounts under no
  /// key.
  func isFiled(under other: AuditFiling) -> Bool {
    if account == nil, actor == nil, other == AuditFiling(sequence: sequence, person: nil, other: nil) { return true }
    return filing == other
  }
}
