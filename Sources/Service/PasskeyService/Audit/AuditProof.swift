// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyTransparencyLog

/// A record of the trail, by its number or by its ID.
package enum AuditRecordReference: Hashable, Sendable {
  /// The number in the store.
  case number(Int64)
  /// The ID in the record. Looking it up may read the whole trail.
  case id(AuditRecordID)

  /// Parses a decimal number or an ID in hexadecimal. Returns nil if the text is neither.
  package init?(_ text: String) {
    if let number = Int64(text), number > 0 {
      self = .number(number)
    } else if let id = AuditRecordID(text) {
      self = .id(id)
    } else {
      return nil
    }
  }
}

/// Makes proofs of records that lead to the newest checkpoints of one snapshot of the store.
///
/// The signatures of these checkpoints are verified once, however many proofs follow. A log only grows, so the records may be
/// read in later snapshots.
struct AuditProver: Sendable {
  private let epochs: [Int64: Epoch]

  /// An epoch with the checkpoints that proofs may lead to.
  private struct Epoch: Sendable {
    let key: NoteKey
    /// The newest cosigned checkpoint and the newest one.
    let checkpoints: [Target]

    /// The checkpoint that proves a record at this position: a cosigned one if it covers the record.
    func checkpoint(covering position: UInt64) throws(ServiceError) -> VerifiedCheckpoint? {
      try checkpoints.first { $0.size > position }?.verified.get()
    }
  }

  /// A stored checkpoint, and the result of its verification.
  private struct Target: Sendable {
    let size: UInt64
    let verified: Result<VerifiedCheckpoint, ServiceError>
  }

  /// A proof and the key that verifies it.
  struct Made {
    let proof: LogProof
    let key: NoteKey
  }

  /// Verifies the signature of a stored checkpoint.
  typealias Verification = (StoredCheckpoint, NoteKey) throws(ServiceError) -> VerifiedCheckpoint

  /// The key of the newest log; nil without a log.
  let key: NoteKey?

  init(
    _ log: any AuditLogReading,
    verifying verify: Verification = { (checkpoint, key) throws(ServiceError) in
      try checkpoint.verified(with: [key])
    }
  ) throws(ServiceError) {
    var epochs: [Int64: Epoch] = [:]
    var last: NoteKey?
    for epoch in try stored(log.logs()) {
      guard let key = try? NoteKey(epoch.verifier) else { continue }
      let cosigned = try stored(log.newestCheckpoint(of: epoch.epoch, isCosigned: true))
      let newest = try stored(log.newestCheckpoint(of: epoch.epoch, isCosigned: false))
      let checkpoints = cosigned == newest ? [newest] : [cosigned, newest]
      epochs[epoch.epoch] = Epoch(
        key: key,
        checkpoints: checkpoints.compactMap(\.self).map { (checkpoint) in
          Target(
            size: checkpoint.size,
            verified: Result { () throws(ServiceError) in try verify(checkpoint, key) })
        })
      last = key
    }
    (self.epochs, key) = (epochs, last)
  }

  /// Makes a proof of a record, and verifies it.
  ///
  /// - Throws: `audit.record-unknown`, `audit.record-unproven` or `audit.log-mismatch`.
  func proof(of record: AuditRecordReference, in log: any AuditLogReading) throws(ServiceError) -> LogProof {
    let number: Int64
    switch record {
    case .number(let known): number = known
    case .id(let id):
      guard let found = try stored(log.number(of: id)) else { throw ServiceError(.auditRecordUnknown, "\(id)") }
      number = found
    }
    guard let entry = try stored(log.entry(number)) else { throw ServiceError(.auditRecordUnknown, "\(number)") }
    guard let place = try stored(log.place(of: number)) else {
      throw ServiceError(.auditRecordUnproven, "record \(number) waits for its place")
    }
    guard let epoch = epochs[place.epoch] else {
      throw ServiceError(.auditLogMismatch, "there is no epoch \(place.epoch) with a key")
    }
    guard let checkpoint = try epoch.checkpoint(covering: place.position) else {
      throw ServiceError(.auditRecordUnproven, "no checkpoint covers record \(number)")
    }
    let plan = try logged(ProofPlan.inclusion(of: place.position, inTreeOf: checkpoint.checkpoint.size))
    let tiles = TileSet(try stored(log.tiles(plan.tiles.map(\.position), of: place.epoch)))
    return try logged(LogProof(of: entry, at: place.position, checkpoint, plan, tiles))
  }

  private struct Planned {
    let entry: AuditEntry
    let place: AuditPlace
    let key: NoteKey
    let checkpoint: VerifiedCheckpoint
    let plan: ProofPlan
  }

  /// Makes proofs of some hundred entries that a server has read, with these personal details. Returns none for a record that
  /// no checkpoint covers, and for one that the log cannot prove: an export must not fail because the log was changed.
  func proofs(of entries: [AuditEntry], in log: any AuditLogReading) throws(ServiceError) -> [Made?] {
    let places = try stored(log.places(of: entries.map(\.record.sequence)))
    let planned = zip(entries, places).map { (entry, place) -> Planned? in
      guard let place, let epoch = epochs[place.epoch],
        let checkpoint = try? epoch.checkpoint(covering: place.position),
        let plan = try? ProofPlan.inclusion(of: place.position, inTreeOf: checkpoint.checkpoint.size)
      else { return nil }
      return Planned(entry: entry, place: place, key: epoch.key, checkpoint: checkpoint, plan: plan)
    }
    // Proofs of one person's records share many tiles.
    var tiles: [Int64: TileSet] = [:]
    for number in Set(planned.compactMap { $0?.place.epoch }) {
      let positions = planned.filter { $0?.place.epoch == number }.flatMap { $0?.plan.tiles.map(\.position) ?? [] }
      tiles[number] = TileSet(try stored(log.tiles(Array(Set(positions)), of: number)))
    }
    return planned.map { (one) in
      guard let one, let tiles = tiles[one.place.epoch] else { return nil }
      let proof = try? LogProof(of: one.entry, at: one.place.position, one.checkpoint, one.plan, tiles)
      return proof.map { Made(proof: $0, key: one.key) }
    }
  }
}

extension LogProof {
  /// Makes a proof with the record and its personal details as extra data, and verifies that the tree of the checkpoint has
  /// the record.
  fileprivate init(
    of entry: AuditEntry, at position: UInt64, _ verified: VerifiedCheckpoint, _ plan: ProofPlan, _ tiles: TileSet
  ) throws(TransparencyLogError) {
    let disclosed = DisclosedEntry(
      entry: entry.record.encoded,
      details: entry.personalDetails.map {
        DisclosedEntry.Detail(name: $0.name.rawValue, salt: $0.salt, value: $0.value)
      })
    let checkpoint = verified.checkpoint
    let inclusion = InclusionProof(index: position, hashes: try plan.hashes(from: tiles))
    try inclusion.verify(TreeHash(ofEntry: entry.record.encoded), inTreeOf: checkpoint.size, root: checkpoint.root)
    try self.init(inclusion, checkpoint: verified.note, extra: disclosed.encoded)
  }
}
