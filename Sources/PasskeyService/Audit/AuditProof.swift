// SPDX-License-Identifier: Apache-2.0

internal import TransparencyLog
internal import WireFormats

/// A record of the trail, by its number or by its ID.
public enum AuditRecordReference: Hashable, Sendable {
  /// The number in the store.
  case number(Int64)
  /// The ID in the record. Looking it up may read the whole trail.
  case id(AuditRecordID)

  /// Parses a decimal number or an ID in hexadecimal. Returns nil if the text is neither.
  public init?(_ text: String) {
    if let number = Int64(text), number > 0 {
      self = .number(number)
    } else if let id = AuditRecordID(text) {
      self = .id(id)
    } else {
      return nil
    }
  }
}

/// Makes proofs of records within one snapshot of the store.
struct AuditProver {
  private let log: any AuditLogReading
  private let epochs: [Int64: Epoch]

  /// An epoch with the checkpoints that proofs may lead to.
  private struct Epoch {
    let key: NoteKey
    let cosigned: StoredCheckpoint?
    let newest: StoredCheckpoint?

    /// The checkpoint that proves a record at this position: a cosigned one if it covers the record.
    func checkpoint(covering position: UInt64) -> StoredCheckpoint? {
      [cosigned, newest].compactMap(\.self).first { $0.size > position }
    }
  }

  /// A proof and the key that verifies it.
  struct Made {
    let proof: LogProof
    let key: NoteKey
  }

  /// The key of the newest log; nil if the trail is a chain.
  let key: NoteKey?

  init(_ log: any AuditLogReading) throws(ServiceError) {
    self.log = log
    var epochs: [Int64: Epoch] = [:]
    var last: NoteKey?
    for epoch in try stored(log.logs()) {
      guard let key = try? NoteKey(epoch.verifier) else { continue }
      epochs[epoch.epoch] = Epoch(
        key: key, cosigned: try stored(log.newestCheckpoint(of: epoch.epoch, isCosigned: true)),
        newest: try stored(log.newestCheckpoint(of: epoch.epoch, isCosigned: false)))
      last = key
    }
    (self.epochs, key) = (epochs, last)
  }

  /// Makes a proof of a record, and verifies it.
  ///
  /// - Throws: `audit.record-unknown`, `audit.record-unproven` or `audit.log-mismatch`.
  func proof(of record: AuditRecordReference) throws(ServiceError) -> LogProof {
    let number: Int64
    switch record {
    case .number(let known): number = known
    case .id(let id):
      guard let found = try stored(log.number(of: id)) else { throw ServiceError(.auditRecordUnknown, "\(id)") }
      number = found
    }
    guard let entry = try stored(log.entry(number)) else { throw ServiceError(.auditRecordUnknown, "\(number)") }
    guard let place = try stored(log.place(of: number)) else {
      let isLink = entry.record.id == nil
      throw ServiceError(
        .auditRecordUnproven,
        isLink ? "record \(number) is a link of the chain" : "record \(number) waits for its place")
    }
    guard let epoch = epochs[place.epoch] else {
      throw ServiceError(.auditLogMismatch, "there is no epoch \(place.epoch) with a key")
    }
    guard let checkpoint = epoch.checkpoint(covering: place.position) else {
      throw ServiceError(.auditRecordUnproven, "no checkpoint covers record \(number)")
    }
    let plan = try logged(ProofPlan.inclusion(of: place.position, inTreeOf: checkpoint.size))
    let tiles = TileSet(try stored(log.tiles(plan.tiles.map(\.position), of: place.epoch)))
    return try logged(LogProof(of: entry, at: place.position, checkpoint, epoch.key, plan, tiles))
  }

  /// Makes proofs of entries that a server has read, with these personal details. Returns none for a link of the chain, for
  /// a record that no checkpoint covers, and for one that the log cannot prove: an export must not fail because the log was
  /// changed.
  func proofs(of entries: [AuditEntry]) throws(ServiceError) -> [Made?] {
    var made: [Made?] = []
    var rest = entries[...]
    while !rest.isEmpty {
      made += try proofs(ofPage: Array(rest.prefix(Self.pageLength)))
      rest = rest.dropFirst(Self.pageLength)
    }
    return made
  }

  private struct Planned {
    let entry: AuditEntry
    let place: AuditPlace
    let epoch: Epoch
    let checkpoint: StoredCheckpoint
    let plan: ProofPlan
  }

  private func proofs(ofPage entries: [AuditEntry]) throws(ServiceError) -> [Made?] {
    let places = try stored(log.places(of: entries.map(\.record.sequence)))
    let planned = zip(entries, places).map { (entry, place) -> Planned? in
      guard let place, let epoch = epochs[place.epoch], let checkpoint = epoch.checkpoint(covering: place.position),
        let plan = try? ProofPlan.inclusion(of: place.position, inTreeOf: checkpoint.size)
      else { return nil }
      return Planned(entry: entry, place: place, epoch: epoch, checkpoint: checkpoint, plan: plan)
    }
    // Proofs of one person's records share many tiles.
    var tiles: [Int64: TileSet] = [:]
    for number in Set(planned.compactMap { $0?.place.epoch }) {
      let positions = planned.filter { $0?.place.epoch == number }.flatMap { $0?.plan.tiles.map(\.position) ?? [] }
      tiles[number] = TileSet(try stored(log.tiles(Array(Set(positions)), of: number)))
    }
    return planned.map { (one) in
      guard let one, let tiles = tiles[one.place.epoch] else { return nil }
      let proof = try? LogProof(
        of: one.entry, at: one.place.position, one.checkpoint, one.epoch.key, one.plan, tiles)
      return proof.map { Made(proof: $0, key: one.epoch.key) }
    }
  }

  // 256 records [tiles of at most some megabytes]
  private static let pageLength = 256
}

extension LogProof {
  /// Makes a proof with the record and its personal details as extra data, and verifies it.
  fileprivate init(
    of entry: AuditEntry, at position: UInt64, _ checkpoint: StoredCheckpoint, _ key: NoteKey, _ plan: ProofPlan,
    _ tiles: TileSet
  ) throws(TransparencyLogError) {
    let disclosed = DisclosedEntry(
      entry: entry.record.encoded[...],
      details: entry.personalDetails.map {
        DisclosedEntry.Detail(name: $0.name.rawValue, salt: $0.salt[...], value: $0.value)
      })
    try self.init(
      InclusionProof(index: position, hashes: plan.hashes(from: tiles)),
      checkpoint: SignedNote(parsing: checkpoint.note), extra: disclosed.encoded[...])
    _ = try verify(TreeHash(ofEntry: entry.record.encoded), by: LogPolicy(logs: [key]))
  }
}
