// SPDX-License-Identifier: Apache-2.0

public import TransparencyLog
internal import WebAuthnTypes
internal import WireFormats

/// The result of a verification of the whole trail.
public struct VerifiedAuditTrail: Sendable {
  /// The end of the chain. Its seal is not verified (``AuditKey/verify(_:)``).
  public let chain: AuditEnd

  /// The newest checkpoint of the log; nil if the trail is a chain.
  public let checkpoint: VerifiedCheckpoint?

  /// The newest epoch; nil if the trail is a chain.
  public let log: AuditLog?

  /// The number of records that wait for a place in the log.
  public let waitingCount: Int

  /// The newest checkpoint that meets the policy of the verification; nil without a policy.
  public let cosigned: VerifiedCheckpoint?
}

extension AuditLogStorage {
  /// Verifies all stored rows of the trail in one snapshot
  /// (``AuthService/verifyAuditTrail(knownHead:knownCheckpoint:key:policy:)``).
  ///
  /// - Returns: What the trail contains, or the first fault.
  /// - Throws: A ``StorageError`` if the store fails.
  public func verifyAuditTrail(
    knownHead: AuditHead? = nil, knownCheckpoint: SignedNote? = nil, key: NoteKey? = nil, policy: LogPolicy? = nil
  ) async throws(StorageError) -> Result<VerifiedAuditTrail, ServiceError> {
    try await readAuditLog { (log) throws(ServiceError) in
      try AuditTrailVerifier(
        log: log, knownHead: knownHead, knownCheckpoint: knownCheckpoint, key: key, policy: policy
      ).verify()
    }
  }
}

extension VerifiedAuditTrail {
  /// Verifies the records that were appended to the chain since, and returns the longer trail. A log is returned as it is.
  func extended(in storedLog: any AuditLogReading) throws(ServiceError) -> VerifiedAuditTrail {
    guard log == nil else { return self }
    guard try stored(storedLog.logs()).isEmpty else {
      throw ServiceError(.auditHeadMismatch, "another server began the log meanwhile")
    }
    var verifier = StoredAuditVerifier(end: try stored(storedLog.chainEnd()), after: chain.head)
    return VerifiedAuditTrail(
      chain: try verifier.verifyRows(from: chain.head.sequence + 1, in: storedLog), checkpoint: nil, log: nil,
      waitingCount: 0, cosigned: nil)
  }
}

/// A verification of everything that a store has of the trail at one moment: the chain, each epoch of the log, and all
/// rows beside them.
struct AuditTrailVerifier {
  let log: any AuditLogReading

  /// The end of a chain that was kept elsewhere.
  var knownHead: AuditHead?

  /// A checkpoint that was kept elsewhere.
  var knownCheckpoint: SignedNote?

  /// The key of the newest epoch from another source than the store.
  var key: NoteKey?

  /// The witnesses whose cosignatures are verified, and the quorum that a checkpoint of the newest epoch must have.
  var policy: LogPolicy?

  func verify() throws(ServiceError) -> VerifiedAuditTrail {
    let logs = try stored(log.logs())
    let end = try stored(log.chainEnd())
    let waitingCount = try verifyRows(end: end, isLog: !logs.isEmpty)
    if let last = logs.last, let key, key.text != last.verifier {
      throw ServiceError(.auditKeyMismatch, "the log's key is \(last.verifier), and the expected one \(key.text)")
    }
    if logs.isEmpty, let knownCheckpoint {
      throw ServiceError(.auditRolledBack, "no log, and a checkpoint of \(knownCheckpoint.origin)")
    }
    if logs.isEmpty, policy != nil { throw ServiceError(.auditQuorumMissing, "the trail is a chain") }
    var predecessor = AuditBeginning.chain(end.head)
    var newest: VerifiedCheckpoint?
    var cosigned: VerifiedCheckpoint?
    for epoch in logs {
      let beginning = try beginning(of: epoch)
      try beginning.verify(follows: predecessor, hasChain: end.head != .beginning, epoch)
      (newest, cosigned) = try verify(epoch, successor: logs.first { $0.epoch > epoch.epoch })
      if let newest { predecessor = .checkpoint(newest.checkpoint) }
    }
    return VerifiedAuditTrail(
      chain: end, checkpoint: newest, log: logs.last, waitingCount: waitingCount, cosigned: cosigned)
  }

  /// Verifies all rows in the order of their numbers. Returns the number of waiting records.
  private func verifyRows(end: AuditEnd, isLog: Bool) throws(ServiceError) -> Int {
    var verifier = StoredAuditVerifier(end: end, knownHead: knownHead, isLog: isLog)
    _ = try verifier.verifyRows(from: .min, in: log)
    return verifier.waitingCount
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
  private func verify(
    _ epoch: AuditLog, successor: AuditLog?
  ) throws(ServiceError) -> (newest: VerifiedCheckpoint, cosigned: VerifiedCheckpoint?) {
    let key = try logged(NoteKey(epoch.verifier))
    var checkpoints = try checkpoints(of: epoch, key)
    guard let newest = checkpoints.last else {
      throw ServiceError(.auditLogMismatch, "epoch \(epoch.epoch) has no checkpoint")
    }
    let cosigned = successor == nil ? try newestCosigned(among: checkpoints, key) : nil
    if let note = knownCheckpoint, note.origin == epoch.origin {
      let known = try logged(LogPolicy(logs: [key]).verify(note))
      guard known.checkpoint.size <= newest.checkpoint.size else {
        throw ServiceError(
          .auditRolledBack, "\(newest.checkpoint.size) records, and \(known.checkpoint.size) in the kept checkpoint")
      }
      checkpoints.append(known)
    } else if let note = knownCheckpoint, successor == nil {
      throw ServiceError(.auditLogMismatch, "the checkpoint is of \(note.origin), and the log is \(epoch.origin)")
    }
    var replay = try logged(LogReplay(checkpoints.map(\.checkpoint)))
    while true {
      let leaves = try stored(log.leaves(of: epoch.epoch, from: replay.size, limit: Self.pageLength))
      for leaf in leaves {
        guard leaf.position == replay.size, let encoded = leaf.encoded else {
          throw ServiceError(.auditLogMismatch, "epoch \(epoch.epoch): no record at position \(replay.size)")
        }
        try logged(replay.append(TreeHash(ofEntry: encoded)))
      }
      try compare(replay.takeChangedTiles(), of: epoch)
      guard leaves.count == Self.pageLength else { break }
    }
    try logged(replay.finish())
    guard replay.size == newest.checkpoint.size else {
      throw ServiceError(
        .auditLogMismatch,
        "epoch \(epoch.epoch) has \(replay.size) records and a checkpoint of \(newest.checkpoint.size)")
    }
    return (newest, cosigned)
  }

  /// Returns the newest checkpoint that meets the policy. A policy without logs accepts the key of the store.
  private func newestCosigned(
    among checkpoints: [VerifiedCheckpoint], _ key: NoteKey
  ) throws(ServiceError) -> VerifiedCheckpoint? {
    guard var policy else { return nil }
    if policy.logs.isEmpty { policy = LogPolicy(logs: [key], witnesses: policy.witnesses, quorum: policy.quorum) }
    var reason = "no checkpoint"
    for checkpoint in checkpoints.reversed() {
      do throws(TransparencyLogError) {
        return try policy.verify(checkpoint.note)
      } catch {
        // The policy does not name this log.
        guard error.code == .quorumMissing else { throw ServiceError(.auditKeyMismatch, "\(error)") }
        reason = error.detail
      }
    }
    throw ServiceError(.auditQuorumMissing, reason)
  }

  private func checkpoints(of epoch: AuditLog, _ key: NoteKey) throws(ServiceError) -> [VerifiedCheckpoint] {
    var found: [VerifiedCheckpoint] = []
    var start: UInt64 = 0
    while true {
      let page = try stored(log.checkpoints(of: epoch.epoch, from: start, limit: Self.pageLength))
      for checkpoint in page {
        let verified = try checkpoint.verified(with: [key], witnesses: policy?.witnesses ?? [])
        guard verified.checkpoint.origin == epoch.origin else {
          throw ServiceError(.auditLogMismatch, "a checkpoint of \(verified.checkpoint.origin)")
        }
        found.append(verified)
      }
      guard page.count == Self.pageLength, let last = page.last else { return found }
      start = last.size + 1
    }
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

  private static let pageLength = 2_048
}

/// The part of the trail that the first record of an epoch names as its predecessor.
enum AuditBeginning {
  /// A chain with this end.
  case chain(AuditHead)
  /// A checkpoint of the previous epoch.
  case checkpoint(Checkpoint)
  /// Nothing.
  case none
  /// Something unreadable.
  case malformed

  static let chainName = "chain"
  static let checkpointName = "checkpoint"

  init(_ record: AuditRecord) {
    if let text = record.details[Self.chainName] {
      self = AuditHead(pair: text).map { .chain($0) } ?? .malformed
    } else if let text = record.details[Self.checkpointName] {
      let note = (try? Base64.decode(text)).flatMap { try? SignedNote(parsing: $0[...]) }
      self = note.flatMap { try? Checkpoint(parsing: $0.text) }.map { .checkpoint($0) } ?? .malformed
    } else {
      self = .none
    }
  }

  /// Verifies that the record names the stored predecessor. A checkpoint that was lost may be newer than the stored one.
  func verify(follows predecessor: AuditBeginning, hasChain: Bool, _ epoch: AuditLog) throws(ServiceError) {
    switch (self, predecessor) {
    case (.chain(let named), .chain(let found)) where named == found && named.sequence == epoch.after: return
    case (.none, .chain) where !hasChain: return
    case (.checkpoint(let named), .checkpoint(let found))
    where named.origin == found.origin && (named.size > found.size || named == found):
      return
    default:
      throw ServiceError(.auditLogMismatch, "epoch \(epoch.epoch) does not follow the stored trail")
    }
  }
}

extension AuditHead {
  /// Parses `NUMBER:HASH`.
  public init?(pair text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let sequence = Int64(parts[0]), let hash = try? Hex.decode(String(parts[1])),
      hash.count == Self.hashByteCount
    else { return nil }
    self.init(sequence: sequence, hash: hash)
  }

  /// The text `NUMBER:HASH`.
  public var pair: String { "\(sequence):\(Hex.encode(hash))" }
}

extension SignedNote {
  /// The first line, which is the origin of a checkpoint.
  var origin: String { String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) }
}
