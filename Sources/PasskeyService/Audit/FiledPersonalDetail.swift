// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// A personal detail as stored, not verified yet.
public struct FiledPersonalDetail: Sendable {
  /// The sequence number of the record that the detail claims to belong to.
  public var sequence: Int64

  /// The detail.
  public var detail: PersonalDetail

  /// The stored time of the record, which determines when the detail expires.
  public var recorded: Timestamp

  /// Whether account erasure finds the detail only through the record, which must then name the detail's account.
  public var isFoundByRecord: Bool

  /// Creates a filed detail from a store's row.
  public init(sequence: Int64, detail: PersonalDetail, recorded: Timestamp, isFoundByRecord: Bool) {
    self.sequence = sequence
    self.detail = detail
    self.recorded = recorded
    self.isFoundByRecord = isFoundByRecord
  }
}
