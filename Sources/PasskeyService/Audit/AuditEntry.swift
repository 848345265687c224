// SPDX-License-Identifier: Apache-2.0

/// An audit record with the personal details that have not been erased.
public struct AuditEntry: Hashable, Sendable {
  /// The record.
  public var record: AuditRecord

  /// The personal details that have not been erased.
  public var personalDetails: [PersonalDetail]

  /// Creates an entry from a store's records.
  public init(record: AuditRecord, personalDetails: [PersonalDetail]) {
    self.record = record
    self.personalDetails = personalDetails
  }
}
