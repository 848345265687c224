// SPDX-License-Identifier: Apache-2.0

/// Verifies an audit chain from its beginning, one record at a time, and throws at the first invalid record.
///
/// It keeps only the end of the verified chain, so memory use does not grow with the chain.
public struct AuditVerifier: Sendable {
  /// The end of the chain verified so far.
  public private(set) var head: AuditHead

  /// Starts at the beginning, or after a record that is already verified.
  public init(after head: AuditHead = .beginning) {
    self.head = head
  }

  /// Verifies that the entry follows the previous one, and that its personal details match the record's commitments.
  public mutating func verify(_ entry: AuditEntry) throws(ServiceError) {
    let record = entry.record
    let next = head.sequence &+ 1
    guard record.sequence == next else {
      throw ServiceError(.auditSequenceBroken, "record \(next) expected, \(record.sequence) received")
    }
    guard record.previousHash == head.hash else {
      throw ServiceError(.auditLinkBroken, "record \(record.sequence) does not follow the one before it")
    }
    for detail in entry.personalDetails where record.commitments[detail.name.rawValue] != detail.commitment {
      throw ServiceError(.auditDetailMismatch, "record \(record.sequence): \(detail.name.rawValue)")
    }
    head = record.head
  }

  /// Verifies that the chain ends at the given head: the stored end, or one that was kept elsewhere.
  public func verifyEnd(_ expected: AuditHead) throws(ServiceError) {
    guard head == expected else {
      throw ServiceError(.auditHeadMismatch, "\(expected) expected, \(head) received")
    }
  }
}
