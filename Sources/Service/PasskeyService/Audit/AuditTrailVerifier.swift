// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
package import PasskeyTransparencyLog
internal import WebAuthnTypes

/// The result of a verification of the whole trail.
package struct VerifiedAuditTrail: Sendable {
  /// The newest epoch; nil if the store has no log.
  package let log: AuditLog?

  /// The newest checkpoint of the log; nil if the store has no log.
  package let checkpoint: VerifiedCheckpoint?

  /// The number of records that wait for a place in the log.
  package let waitingCount: Int

  /// The newest checkpoint that meets the policy of the verification; nil without a policy.
  package let cosigned: VerifiedCheckpoint?

  /// The contradiction of a witness that has cosigned other records than the newest epoch contains; nil without one. Such a
  /// trail can be correct in itself.
  package let contradiction: String?
}

/// A verification of everything that a store has of the trail at one moment: each epoch of the log, and all rows beside it.
struct AuditTrailVerifier {
  let log: any AuditLogReading

  /// A checkpoint that was kept elsewhere.
  var knownCheckpoint: SignedNote?

  /// The key of the newest epoch from another source than the store.
  var key: NoteKey?

  /// The witnesses whose cosignatures are verified, and the quorum that a checkpoint of the newest epoch must have.
  var policy: LogPolicy?

  /// The number of records or checkpoints in a page: 2,048  [some megabytes]
  var pageLength = 2_048

  func verify() throws(ServiceError) -> VerifiedAuditTrail {
    let logs = try stored(log.logs())
    var rows = AuditRowVerifier(epochs: Set(logs.map(\.epoch)))
    try rows.verifyRows(in: log)
    guard let last = logs.last else { return try verifyWithoutLog(rows.waitingCount) }
    if let key, key.text != last.verifier {
      throw ServiceError(.auditKeyMismatch, "the log's key is \(last.verifier), and the expected one \(key.text)")
    }
    if let note = knownCheckpoint, !logs.contains(where: { $0.origin == note.origin }) {
      throw ServiceError(
        last.replaces(note.origin) ? .auditRolledBack : .auditLogMismatch,
        "the checkpoint is of \(note.origin), and the log is \(last.origin)")
    }
    var newest: VerifiedCheckpoint?
    var cosigned: VerifiedCheckpoint?
    var previous: AuditLog?
    for epoch in logs {
      try beginning(of: epoch).verify(follows: newest?.checkpoint, of: previous)
      (newest, cosigned) = try verify(epoch, successor: logs.first { $0.epoch > epoch.epoch })
      previous = epoch
    }
    return VerifiedAuditTrail(
      log: last, checkpoint: newest, waitingCount: rows.waitingCount, cosigned: cosigned,
      contradiction: try log.contradiction(in: last.epoch))
  }

  /// Returns the result for a store without a log, of which there can be no checkpoint elsewhere.
  private func verifyWithoutLog(_ waitingCount: Int) throws(ServiceError) -> VerifiedAuditTrail {
    if let knownCheckpoint {
      throw ServiceError(.auditRolledBack, "no log, and a checkpoint of \(knownCheckpoint.origin)")
    }
    if policy != nil { throw ServiceError(.auditQuorumMissing, "the store has no log") }
    return VerifiedAuditTrail(
      log: nil, checkpoint: nil, waitingCount: waitingCount, cosigned: nil, contradiction: nil)
  }

  /// Returns the record that begins an epoch.
  private func beginning(of epoch: AuditLog) throws(ServiceError) -> AuditBeginning {
    guard let first = try stored(log.leaves(of: epoch.epoch, from: 0, limit: 1)).first, let encoded = first.encoded
    else { throw ServiceError(.auditLogMismatch, "epoch \(epoch.epoch) has no first record") }
    let record = try AuditRecord(parsing: encoded, number: first.number)
    guard first.position == 0, record.event == .auditLogBegan else {
      throw ServiceError(.auditLogMismatch, "epoch \(epoch.epoch) does not begin with \(AuditEvent.auditLogBegan)")
    }
    return AuditBeginning(record)
  }

  /// Recomputes an epoch from its records and compares its tiles and checkpoints. Returns its newest checkpoint, and of the
  /// newest epoch the newest one that meets the policy.
  ///
  /// Holds one page of records and two of checkpoints, however long the log is.
  private func verify(
    _ epoch: AuditLog, successor: AuditLog?
  ) throws(ServiceError) -> (newest: VerifiedCheckpoint, cosigned: VerifiedCheckpoint?) {
    let key = try logged(NoteKey(epoch.verifier))
    guard let last = try stored(log.newestCheckpoint(of: epoch.epoch, isCosigned: false)) else {
      throw ServiceError(.auditLogMismatch, "epoch \(epoch.epoch) has no checkpoint")
    }
    let newest = try last.verified(with: [key])
    var replay = try logged(LogReplay())
    if let known = try known(in: epoch, key, newest: newest.checkpoint) {
      try logged(replay.add([known]))
    }
    var search: CosignedSearch?
    if let policy, successor == nil { search = try CosignedSearch(policy, key, newest) }
    var checkpoints = CheckpointPages(
      epoch: epoch, key: key, witnesses: policy?.witnesses ?? [], pageLength: pageLength)
    while true {
      let leaves = try stored(log.leaves(of: epoch.epoch, from: replay.size, limit: pageLength))
      let next = try checkpoints.take(through: replay.size + UInt64(leaves.count), from: log)
      for checkpoint in next { search?.examine(checkpoint) }
      try logged(replay.add(next.map(\.checkpoint)))
      for leaf in leaves {
        guard leaf.position == replay.size, let encoded = leaf.encoded else {
          throw ServiceError(.auditLogMismatch, "epoch \(epoch.epoch): no record at position \(replay.size)")
        }
        try logged(replay.append(TreeHash(ofEntry: encoded)))
      }
      try compare(replay.takeChangedTiles(), of: epoch)
      guard leaves.count == pageLength else { break }
    }
    // None is larger than the newest one.
    guard replay.size == newest.checkpoint.size else {
      throw ServiceError(
        .auditLogMismatch,
        "epoch \(epoch.epoch) has \(replay.size) records and a checkpoint of \(newest.checkpoint.size)")
    }
    return (newest, try search?.result())
  }

  /// Returns the checkpoint that was kept elsewhere, if it is one of this epoch.
  private func known(
    in epoch: AuditLog, _ key: NoteKey, newest: Checkpoint
  ) throws(ServiceError) -> Checkpoint? {
    guard let note = knownCheckpoint, note.origin == epoch.origin else { return nil }
    let known = try logged(LogPolicy(logs: [key]).verify(note)).checkpoint
    guard known.size <= newest.size else {
      throw ServiceError(.auditRolledBack, "\(newest.size) records, and \(known.size) in the kept checkpoint")
    }
    return known
  }

  /// Compares recomputed tiles with the stored ones, which may have grown further.
  private func compare(_ tiles: [Tile], of epoch: AuditLog) throws(ServiceError) {
    let stored = try stored(log.tiles(tiles.map(\.position), of: epoch.epoch))
    let bytes = Dictionary(stored.map { ($0.position, $0.bytes) }) { first, _ in first }
    for tile in tiles where bytes[tile.position]?.starts(with: tile.bytes) != true {
      throw ServiceError(
        .auditLogMismatch,
        "epoch \(epoch.epoch): tile \(tile.position.index) of level \(tile.position.level) differs from its records")
    }
  }
}

/// The stored checkpoints of an epoch, verified, in the order of their sizes. Holds one page.
private struct CheckpointPages {
  let epoch: AuditLog
  let key: NoteKey
  let witnesses: [NoteKey]
  let pageLength: Int
  private var page: ArraySlice<StoredCheckpoint> = []
  /// The smallest size of the next page; nil after the last page.
  private var next: UInt64? = 0

  init(epoch: AuditLog, key: NoteKey, witnesses: [NoteKey], pageLength: Int) {
    (self.epoch, self.key, self.witnesses, self.pageLength) = (epoch, key, witnesses, pageLength)
  }

  /// Returns the next checkpoints up to this size. No more than a page's number of records lies between two calls, so it
  /// returns no more checkpoints.
  mutating func take(through size: UInt64, from log: any AuditLogReading) throws(ServiceError) -> [VerifiedCheckpoint] {
    var taken: [VerifiedCheckpoint] = []
    while true {
      if page.isEmpty { try read(log) }
      guard let checkpoint = page.first, checkpoint.size <= size else { return taken }
      page = page.dropFirst()
      let verified = try checkpoint.verified(with: [key], witnesses: witnesses)
      guard verified.checkpoint.origin == epoch.origin else {
        throw ServiceError(.auditLogMismatch, "a checkpoint of \(verified.checkpoint.origin)")
      }
      taken.append(verified)
    }
  }

  private mutating func read(_ log: any AuditLogReading) throws(ServiceError) {
    guard let start = next else { return }
    page = try stored(log.checkpoints(of: epoch.epoch, from: start, limit: pageLength))[...]
    next = page.count == pageLength ? page.last.map { $0.size + 1 } : nil
  }
}

/// A search for the newest checkpoint that meets a policy, among all checkpoints in the order of their sizes.
private struct CosignedSearch {
  private let policy: LogPolicy
  private var found: VerifiedCheckpoint

  /// Throws `audit.key-mismatch` if the policy does not name this log. A policy without logs accepts the key of the store.
  init(_ policy: LogPolicy, _ key: NoteKey, _ newest: VerifiedCheckpoint) throws(ServiceError) {
    let logs = policy.logs.isEmpty ? [key] : policy.logs
    self.policy = LogPolicy(logs: logs, witnesses: policy.witnesses, quorum: policy.quorum)
    found = newest
    _ = try mapError(LogPolicy(logs: logs).verify(newest.note)) { (error: TransparencyLogError) in
      ServiceError(.auditKeyMismatch, "\(error)")
    }
  }

  /// Examines the next checkpoint, whose cosignatures by the policy's witnesses are verified.
  mutating func examine(_ checkpoint: VerifiedCheckpoint) {
    guard policy.quorum.isMet(by: Set(checkpoint.cosigned.map(\.key))) else { return }
    found = checkpoint
  }

  /// Returns the newest checkpoint that meets the policy. Throws `audit.quorum-missing` without one.
  func result() throws(ServiceError) -> VerifiedCheckpoint {
    do throws(TransparencyLogError) {
      return try policy.verify(found.note)
    } catch {
      throw ServiceError(error.code == .quorumMissing ? .auditQuorumMissing : .auditKeyMismatch, error.detail)
    }
  }
}

/// The part of the trail that the first record of an epoch names as its predecessor.
enum AuditBeginning {
  /// The last checkpoint of the previous epoch. If the database has lost that, `stored` is the newest one that it had.
  case checkpoint(SignedNote, stored: SignedNote?)
  /// Nothing.
  case none
  /// Something unreadable.
  case malformed

  static let checkpointName = "checkpoint"
  static let storedName = "stored"

  init(_ record: AuditRecord) {
    func note(_ text: String) -> SignedNote? {
      (try? Base64.decode(text)).flatMap { try? SignedNote(parsing: $0) }
    }
    let details = record.details
    guard let text = details[Self.checkpointName] else {
      self = .none
      return
    }
    let stored = details[Self.storedName].flatMap(note)
    let isReadable = stored != nil || details[Self.storedName] == nil
    self = isReadable ? note(text).map { .checkpoint($0, stored: stored) } ?? .malformed : .malformed
  }

  /// Verifies that the record of the first epoch names nothing, and that of a later one the newest stored checkpoint of the
  /// previous epoch, beside a larger one if the database has lost that. The key of the previous epoch must have signed both:
  /// the database alone does not vouch for it.
  func verify(follows newest: Checkpoint?, of previous: AuditLog?) throws(ServiceError) {
    guard let newest, let previous else {
      guard case .none = self else { throw Self.mismatch }
      return
    }
    guard case .checkpoint(let note, let stored) = self else { throw Self.mismatch }
    let policy = try logged(LogPolicy(logs: [NoteKey(previous.verifier)]))
    let named = try logged(policy.verify(note)).checkpoint
    guard let stored else {
      guard named == newest else { throw Self.mismatch }
      return
    }
    guard try logged(policy.verify(stored)).checkpoint == newest, named.size > newest.size else { throw Self.mismatch }
  }

  private static let mismatch = ServiceError(.auditLogMismatch, "an epoch does not follow the stored trail")
}

extension SignedNote {
  /// The first line, which is the origin of a checkpoint.
  var origin: String { String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) }
}
