// SPDX-License-Identifier: Apache-2.0

/// Verifies an audit chain from its beginning, one record at a time, and throws at the first invalid record.
///
/// It keeps only the end of the verified chain, so memory use does not grow with the chain.
package struct AuditVerifier: Sendable {
  /// The end of the chain verified so far.
  package private(set) var head: AuditHead

  /// Starts at the beginning, or after a record that is already verified.
  package init(after head: AuditHead = .beginning) {
    self.head = head
  }

  /// Verifies that the entry follows the previous one, and that its personal details match the record's commitments.
  ///
  /// - Throws: `audit.sequence-broken`, `audit.link-broken` or `audit.detail-mismatch`.
  package mutating func verify(_ entry: AuditEntry) throws(ServiceError) {
    let record = entry.record
    let next = head.sequence &+ 1
    guard record.sequence == next else {
      throw ServiceError(.auditSequenceBroken, "record \(next) expected, \(record.sequence) received")
    }
    guard record.previousHash == head.hash else {
      throw ServiceError(.auditLinkBroken, "record \(record.sequence) does not follow the previous one")
    }
    try entry.verifyDetails()
    head = record.head
  }

  /// Verifies that the chain ends at the given head: the stored end, or one that was kept elsewhere.
  ///
  /// - Throws: `audit.head-mismatch`.
  package func verifyEnd(_ expected: AuditHead) throws(ServiceError) {
    guard head == expected else {
      throw ServiceError(.auditHeadMismatch, "\(expected) expected, \(head) received")
    }
  }
}

/// A verification of everything that a store has of the trail at one moment: the chain, and all rows beside it.
///
/// A store supplies all rows in pages, in the order of the sequence numbers that they are filed under, including rows
/// that should not exist.
package struct StoredAuditVerifier: Sendable {
  private let sealedEnd: AuditEnd
  private let knownHead: AuditHead?
  private let epochs: Set<Int64>
  private var verifier: AuditVerifier

  /// The number of records that wait for a place in the log.
  private(set) var waitingCount = 0

  /// Creates a verifier that expects the chain to end at `end`. If `knownHead` is given, the chain must contain it. The
  /// records after the end are those of the log with these epochs, and are refused without any. The records up to `head`
  /// are already verified.
  package init(
    end: AuditEnd, after head: AuditHead = .beginning, knownHead: AuditHead? = nil, epochs: Set<Int64> = []
  ) {
    sealedEnd = end
    verifier = AuditVerifier(after: head)
    self.knownHead = knownHead
    self.epochs = epochs
  }

  private var end: AuditHead { sealedEnd.head }

  /// Verifies that the next records follow the previous ones and are stored under their own keys, and that each detail
  /// belongs to one of these records.
  ///
  /// - Throws: The `audit.` code of the first fault.
  package mutating func verify(
    _ records: [StoredAuditRecord], details: [StoredPersonalDetail]
  ) throws(ServiceError) {
    var detailsBySequence = Dictionary(grouping: details, by: \.sequence)
    for record in records {
      try verify(record, detailsBySequence.removeValue(forKey: record.indexKeys.sequence) ?? [])
    }
    if let sequence = detailsBySequence.keys.min() {
      throw ServiceError(.auditDetailOrphaned, "a detail of the missing record \(sequence)")
    }
  }

  private mutating func verify(
    _ stored: StoredAuditRecord, _ details: [StoredPersonalDetail]
  ) throws(ServiceError) {
    let sequence = stored.indexKeys.sequence
    guard sequence <= end.sequence || !epochs.isEmpty else {
      throw ServiceError(
        .auditBehindEnd, "a record is indexed as \(sequence), and the trail ends with \(end.sequence)")
    }
    let record = try AuditRecord(parsing: stored.encoded, number: sequence)
    guard record.sequence == sequence else {
      throw ServiceError(.auditFilingMismatch, "record \(record.sequence) is indexed as \(sequence)")
    }
    guard record.accepts(stored.indexKeys) else {
      throw ServiceError(.auditFilingMismatch, "record \(sequence) is indexed for accounts that it does not name")
    }
    let entry = AuditEntry(record: record, personalDetails: details.map(\.detail))
    if sequence <= end.sequence {
      try verifier.verify(entry)
    } else {
      try verifyLogged(entry, stored.placement)
    }
    guard Set(details.map(\.detail.name)).count == details.count else {
      throw ServiceError(.auditDetailRepeated, "record \(sequence) has a detail twice")
    }
    guard details.allSatisfy(record.hasValidKeys) else {
      throw ServiceError(.auditFilingMismatch, "a detail of record \(sequence) is indexed for another record")
    }
    if let knownHead, knownHead.sequence == sequence { try verifier.verifyEnd(knownHead) }
  }

  private mutating func verifyLogged(_ entry: AuditEntry, _ placement: AuditPlacement) throws(ServiceError) {
    let sequence = entry.record.sequence
    guard entry.record.id != nil else {
      throw ServiceError(.auditBehindEnd, "record \(sequence) is a link, and the chain ends with \(end.sequence)")
    }
    try entry.verifyDetails()
    switch placement {
    // Each epoch is recomputed from its records, but no other one.
    case .placed(let place) where epochs.contains(place.epoch): break
    case .placed(let place):
      throw ServiceError(.auditRecordUnplaced, "record \(sequence) is filed in the unknown epoch \(place.epoch)")
    case .waiting: waitingCount += 1
    case .none: throw ServiceError(.auditRecordUnplaced, "record \(sequence)")
    }
  }

  /// Verifies all stored rows from a number on, and the end. Returns the end (``finish()``).
  mutating func verifyRows(from number: Int64, in log: any AuditLogReading) throws(ServiceError) -> AuditEnd {
    var start: Int64? = number
    while let first = start {
      let page = try stored(log.page(from: first))
      try verify(page.records, details: page.details)
      start = page.next
    }
    return try finish()
  }

  /// Verifies that the records reached the end of the trail and included the known head.
  ///
  /// - Returns: The end. The caller, who has the key, must still verify its seal (``AuditKey/verify(_:)``).
  /// - Throws: `audit.head-mismatch`.
  package func finish() throws(ServiceError) -> AuditEnd {
    try verifier.verifyEnd(end)
    if let knownHead, knownHead.sequence > end.sequence { try verifier.verifyEnd(knownHead) }
    return sealedEnd
  }
}

extension AuditEntry {
  /// Verifies that the personal details match the record's commitments. With salts of any length, the border between
  /// salt and value could be moved.
  fileprivate func verifyDetails() throws(ServiceError) {
    for detail in personalDetails
    where detail.salt.count != PersonalDetail.saltByteCount
      || record.commitments[detail.name.rawValue] != detail.commitment
    {
      throw ServiceError(.auditDetailMismatch, "record \(record.sequence): \(detail.name.rawValue)")
    }
  }
}

extension AuditRecord {
  /// Returns whether the detail is filed under the record's time and person, so that expiry and account erasure find
  /// it.
  fileprivate func hasValidKeys(_ stored: StoredPersonalDetail) -> Bool {
    guard stored.recorded == time else { return false }
    guard stored.isFoundByRecord, let person = stored.detail.person else { return true }
    return person == account || person == actor
  }
}
