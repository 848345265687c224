// SPDX-License-Identifier: Apache-2.0

/// Walks an audit chain from its beginning, a record at a time, and stops at the first that does not fit.
///
/// It keeps nothing but the end of what it has seen, so a chain of any length takes no memory.
public struct AuditVerifier: Sendable {
  /// The end of what has been seen.
  public private(set) var head: AuditHead

  /// Starts at the beginning, or behind a record that was verified before.
  public init(after head: AuditHead = .beginning) {
    self.head = head
  }

  /// Demands that the next record follows the one before, and that the details beside it are what it was made with.
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

  /// Demands that the chain ends here: at the end that the store says, or at one that was kept elsewhere.
  public func verifyEnd(_ expected: AuditHead) throws(ServiceError) {
    guard head == expected else {
      throw ServiceError(.auditHeadMismatch, "\(expected) expected, \(head) received")
    }
  }
}
