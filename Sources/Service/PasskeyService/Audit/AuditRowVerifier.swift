// SPDX-License-Identifier: Apache-2.0

/// A verification of the stored rows of the trail, apart from the trees of its epochs.
///
/// A store supplies all rows in pages, in the order of the numbers that they are filed under, including rows that should
/// not exist.
struct AuditRowVerifier {
  private let epochs: Set<Int64>

  /// The number of records that wait for a place in the log.
  private(set) var waitingCount = 0

  /// Creates a verifier of records of these epochs, and of records that wait.
  init(epochs: Set<Int64>) {
    self.epochs = epochs
  }

  /// Verifies all stored rows: each record is filed under its own keys and has a place in an epoch or waits for one, and each
  /// detail belongs to a record and matches its commitment.
  ///
  /// - Throws: The `audit.` code of the first fault.
  mutating func verifyRows(in log: any AuditLogReading) throws(ServiceError) {
    var start: Int64? = .min
    while let first = start {
      let page = try stored(log.page(from: first))
      try verify(page.records, details: page.details)
      start = page.next
    }
  }

  /// Verifies the records of a page, and that each detail belongs to one of them.
  mutating func verify(_ records: [StoredAuditRecord], details: [StoredPersonalDetail]) throws(ServiceError) {
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
    let record = try AuditRecord(parsing: stored.encoded, number: sequence)
    guard record.indexKeys == stored.indexKeys else {
      throw ServiceError(.auditFilingMismatch, "record \(sequence) is indexed for accounts that it does not name")
    }
    try AuditEntry(record: record, personalDetails: details.map(\.detail)).verifyDetails()
    guard Set(details.map(\.detail.name)).count == details.count else {
      throw ServiceError(.auditDetailRepeated, "record \(sequence) has a detail twice")
    }
    guard details.allSatisfy(record.hasValidKeys) else {
      throw ServiceError(.auditFilingMismatch, "a detail of record \(sequence) is indexed for another record")
    }
    switch stored.placement {
    // Each epoch is recomputed from its records, but no other one.
    case .placed(let place) where epochs.contains(place.epoch): break
    case .placed(let place):
      throw ServiceError(.auditRecordUnplaced, "record \(sequence) is filed in the unknown epoch \(place.epoch)")
    case .waiting: waitingCount += 1
    case .none: throw ServiceError(.auditRecordUnplaced, "record \(sequence)")
    }
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
