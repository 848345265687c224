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

extension LogProof {
  /// Makes a proof of a record, and verifies it.
  init(of record: AuditRecordReference, in log: any AuditLogReading) throws(ServiceError) {
    let number: Int64
    switch record {
    case .number(let known): number = known
    case .id(let id):
      guard let found = try stored(log.number(of: id)) else { throw ServiceError(.auditRecordUnknown, "\(id)") }
      number = found
    }
    guard let entry = try stored(log.entry(number)) else { throw ServiceError(.auditRecordUnknown, "\(number)") }
    guard let place = try stored(log.place(of: number)),
      let epoch = try stored(log.logs()).first(where: { $0.epoch == place.epoch })
    else {
      let isLink = entry.record.id == nil
      throw ServiceError(
        .auditRecordUnproven,
        isLink ? "record \(number) is a link of the chain" : "record \(number) waits for its place")
    }
    let cosigned = try stored(log.newestCheckpoint(of: epoch.epoch, isCosigned: true))
    let newest = try stored(log.newestCheckpoint(of: epoch.epoch, isCosigned: false))
    guard let checkpoint = [cosigned, newest].compactMap({ $0 }).first(where: { $0.size > place.position }) else {
      throw ServiceError(.auditRecordUnproven, "no checkpoint covers record \(number)")
    }
    let policy = LogPolicy(logs: [try logged(NoteKey(epoch.verifier))])
    let plan = try logged(ProofPlan.inclusion(of: place.position, inTreeOf: checkpoint.size))
    let tiles = TileSet(try stored(log.tiles(plan.tiles.map(\.position), of: epoch.epoch)))
    let inclusion = InclusionProof(index: place.position, hashes: try logged(plan.hashes(from: tiles)))
    let disclosed = DisclosedEntry(
      entry: entry.record.encoded[...],
      details: entry.personalDetails.map {
        DisclosedEntry.Detail(name: $0.name.rawValue, salt: $0.salt[...], value: $0.value)
      })
    let proof = try logged(
      LogProof(inclusion, checkpoint: SignedNote(parsing: checkpoint.note), extra: disclosed.encoded[...]))
    _ = try logged(proof.verify(TreeHash(ofEntry: entry.record.encoded), by: policy))
    self = proof
  }
}
