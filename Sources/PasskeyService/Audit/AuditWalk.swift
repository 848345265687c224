// SPDX-License-Identifier: Apache-2.0

/// A verification of everything that a store has of the trail at one moment: the chain, and all rows beside it.
///
/// A store supplies all rows in pages, in the order of the sequence numbers that they are filed under, including rows
/// that should not exist.
public struct AuditWalk: Sendable {
  private let sealedEnd: AuditEnd
  private let knownHead: AuditHead?
  private var verifier = AuditVerifier()

  /// Starts a walk to the stored end. If `knownHead` is given, the chain must contain it.
  public init(to end: AuditEnd, over knownHead: AuditHead? = nil) {
    sealedEnd = end
    self.knownHead = knownHead
  }

  private var end: AuditHead { sealedEnd.head }

  /// Verifies that the next records follow the previous ones and are filed correctly, and that each detail belongs to
  /// one of these records.
  public mutating func visit(
    _ records: [FiledAuditRecord], details: [FiledPersonalDetail]
  ) throws(ServiceError) {
    var detailsBySequence = Dictionary(grouping: details, by: \.sequence)
    for record in records {
      try visit(record, detailsBySequence.removeValue(forKey: record.filing.sequence) ?? [])
    }
    if let sequence = detailsBySequence.keys.min() {
      throw ServiceError(.auditDetailOrphaned, "a detail of record \(sequence), which is not there")
    }
  }

  private mutating func visit(
    _ filed: FiledAuditRecord, _ details: [FiledPersonalDetail]
  ) throws(ServiceError) {
    let sequence = filed.filing.sequence
    guard sequence <= end.sequence else {
      throw ServiceError(
        .auditBehindEnd, "a record is filed under \(sequence), and the trail ends with \(end.sequence)")
    }
    let record = try AuditRecord(parsing: filed.encoded)
    guard record.sequence == sequence else {
      throw ServiceError(.auditFilingMismatch, "record \(record.sequence) is filed under \(sequence)")
    }
    guard record.isFiled(under: filed.filing) else {
      throw ServiceError(.auditFilingMismatch, "record \(sequence) is filed under accounts that it does not name")
    }
    try verifier.verify(AuditEntry(record: record, personalDetails: details.map(\.detail)))
    guard Set(details.map(\.detail.name)).count == details.count else {
      throw ServiceError(.auditDetailRepeated, "record \(sequence) has a detail twice")
    }
    guard details.allSatisfy(record.files) else {
      throw ServiceError(.auditFilingMismatch, "a detail of record \(sequence) is filed as if it were another's")
    }
    if let knownHead, knownHead.sequence == verifier.head.sequence { try verifier.verifyEnd(knownHead) }
  }

  /// Verifies that the walk reached the end of the trail and passed the known head. Returns that end. The caller, who
  /// has the key, must still verify its seal.
  public func finish() throws(ServiceError) -> AuditEnd {
    try verifier.verifyEnd(end)
    if let knownHead, knownHead.sequence > end.sequence { try verifier.verifyEnd(knownHead) }
    return sealedEnd
  }
}

extension AuditRecord {
  /// Returns whether the detail is filed under the record's time and person, so that expiry and account erasure find
  /// it.
  fileprivate func files(_ filed: FiledPersonalDetail) -> Bool {
    guard filed.recorded == time else { return false }
    guard filed.isFoundByRecord, let person = filed.detail.person else { return true }
    return person == account || person == actor
  }
}
