// SPDX-License-Identifier: Apache-2.0

/// A walk over everything that a store has of the trail at one moment: the chain, and whatever else lies beside it.
///
/// A store gives it a page at a time, rows in the order of the numbers under which they are filed and none left out, also
/// those that stand where no row should be.
public struct AuditWalk: Sendable {
  private let sealedEnd: AuditEnd
  private let knownHead: AuditHead?
  private var verifier = AuditVerifier()

  /// Begins a walk to the end that the store says, which leads over the one that was kept elsewhere, where one was.
  public init(to end: AuditEnd, over knownHead: AuditHead? = nil) {
    sealedEnd = end
    self.knownHead = knownHead
  }

  private var end: AuditHead { sealedEnd.head }

  /// Demands that the next records follow the ones before and are filed as what they are, and that each detail belongs to
  /// one of them.
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

  /// Demands that the walk came to its end, and that this is not before the one that was kept elsewhere.
  /// Whether its seal fits, the caller asks, who has the key.
  public func finish() throws(ServiceError) -> AuditEnd {
    try verifier.verifyEnd(end)
    if let knownHead, knownHead.sequence > end.sequence { try verifier.verifyEnd(knownHead) }
    return sealedEnd
  }
}

extension AuditRecord {
  /// Whether the detail goes when it should: with its time, and with its person.
  fileprivate func files(_ filed: FiledPersonalDetail) -> Bool {
    guard filed.recorded == time else { return false }
    guard filed.isFoundByRecord, let person = filed.detail.person else { return true }
    return person == account || person == actor
  }
}
