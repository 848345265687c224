// SPDX-License-Identifier: Apache-2.0

/// A record, and what is left of the personal details beside it.
public struct AuditEntry: Hashable, Sendable {
  /// The record.
  public var record: AuditRecord

  /// The details that nobody has erased.
  public var personalDetails: [PersonalDetail]

  /// Puts together what a store has.
  public init(record: AuditRecord, personalDetails: [PersonalDetail]) {
    self.record = record
    self.personalDetails = personalDetails
  }
}
