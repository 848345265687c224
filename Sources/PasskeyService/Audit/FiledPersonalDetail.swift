// SPDX-License-Identifier: Apache-2.0

public import WireFormats

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
