// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

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

/// A record as a store has it, of which nothing is believed yet.
public struct FiledAuditRecord: Sendable {
  /// Under what it was found.
  public var filing: AuditFiling

  /// What is kept there.
  public var encoded: Bytes

  /// Puts together what a store has.
  public init(filing: AuditFiling, encoded: Bytes) {
    self.filing = filing
    self.encoded = encoded
  }
}

/// A personal detail as a store has it, of which nothing is believed yet.
public struct FiledPersonalDetail: Sendable {
  /// The number of the record that it is said to belong to.
  public var sequence: Int64

  /// The detail.
  public var detail: PersonalDetail

  /// When the record is said to be from, by which the detail is deleted when it is old.
  public var recorded: Timestamp

  /// Whether erasing its person finds it by the record alone, which has to name them then.
  public var isFoundByRecord: Bool

  /// Puts together what a store has.
  public init(sequence: Int64, detail: PersonalDetail, recorded: Timestamp, isFoundByRecord: Bool) {
    self.sequence = sequence
    self.detail = detail
    self.recorded = recorded
    self.isFoundByRecord = isFoundByRecord
  }
}
