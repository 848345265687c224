// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
package import PasskeyTransparencyLog
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

extension AuthService {
  /// Begins a new epoch of the audit log, after the restoration of an older copy or for a store that has lost its log. Verifies
  /// the trail first.
  ///
  /// The first record of the epoch names the last checkpoint of the previous one. Records that wait for a place follow it.
  ///
  /// - Parameters:
  ///   - kept: The last checkpoint that a server has seen. If the database has lost it, the first record names it beside the
  ///     newest stored one. The new epoch is later than that of the checkpoint.
  ///   - context: The time and origin of the request.
  /// - Returns: The log.
  /// - Throws: A code of ``verifyAuditTrail(knownCheckpoint:key:policy:)``; `audit.head-mismatch` if another server changed the
  ///   log meanwhile; or a storage code.
  @discardableResult
  package func beginAuditLog(
    kept: SignedNote? = nil, in context: CallContext
  ) async throws(ServiceError) -> AuditLog {
    let trail = try await verifyAuditTrail()
    let lost = try kept.flatMap { (kept) throws(ServiceError) in try Self.isLost(kept, by: trail) ? kept : nil }
    let seen = kept.flatMap { AuditLog.epoch(inOrigin: $0.origin) } ?? 0
    let beginning = try logBeginning(after: trail, lost: lost, seen: seen, in: context)
    guard try await stored(async: await storage.beginAuditLog(beginning)) else {
      throw ServiceError(.auditHeadMismatch, "another server changed the log meanwhile")
    }
    return beginning.log
  }

  /// Returns whether a checkpoint is of the newest epoch, and larger than the newest stored one.
  private static func isLost(_ kept: SignedNote, by trail: VerifiedAuditTrail) throws(ServiceError) -> Bool {
    guard let log = trail.log, log.origin == kept.origin, let stored = trail.checkpoint?.checkpoint else {
      return false
    }
    // Otherwise no later verification could succeed.
    return try logged(LogPolicy(logs: [NoteKey(log.verifier)]).verify(kept)).checkpoint.size > stored.size
  }

  /// Returns the beginning of the epoch that follows a trail, nil for one without records, and the epoch `seen`.
  func logBeginning(
    after trail: VerifiedAuditTrail? = nil, lost: SignedNote? = nil, seen: Int64 = 0, in context: CallContext
  ) throws(ServiceError) -> AuditLogBeginning {
    var details: [String: String] = [:]
    if let stored = trail?.checkpoint?.note {
      details[AuditBeginning.checkpointName] = Base64.encode((lost ?? stored).bytes)
      // Without it, a verifier could not distinguish a lost part of the log from one that was removed later.
      if lost != nil { details[AuditBeginning.storedName] = Base64.encode(stored.bytes) }
    }
    let epoch = min(max(trail?.log?.epoch ?? 0, seen), .max - 1) + 1
    let store = Hex.encode(try random.draw(Self.storeNameByteCount))
    let origin = AuditLog.origin(of: epoch, in: store, relyingParty.id.text)
    let record = try draft(.auditLogBegan, by: nil, of: nil, subject: nil, details: details, in: context)
    let signer = try logged(NoteSigner(name: origin, kind: .ed25519, signingKey: auditKey))
    var tree = GrowingTree()
    try logged(tree.append(TreeHash(ofEntry: record.logged().record.encoded)))
    let checkpoint = try logged(Checkpoint(origin: origin, size: 1, root: tree.root))
    let note = try logged(checkpoint.signed(by: signer, at: context.time))
    guard let tile = tree.takeChangedTiles().first else { throw ServiceError(.auditLogMismatch, "no tile") }
    var predecessor: AuditLogBeginning.Predecessor?
    if let log = trail?.log, let newest = trail?.checkpoint {
      predecessor = AuditLogBeginning.Predecessor(epoch: log.epoch, size: newest.checkpoint.size)
    }
    return AuditLogBeginning(
      log: AuditLog(epoch: epoch, origin: origin, verifier: signer.key.text), predecessor: predecessor, record: record,
      tile: tile,
      checkpoint: StoredCheckpoint(
        epoch: epoch, size: 1, signed: context.time, isCosigned: false, note: note.bytes))
  }

  /// Returns the key with which this server's checkpoints of a log are verified. It differs from the log's if another secret
  /// began that.
  package func verifier(of log: AuditLog) throws(ServiceError) -> NoteKey {
    try logged(NoteSigner(name: log.origin, kind: .ed25519, signingKey: auditKey)).key
  }

  /// Makes a sequencer that signs with the key that is derived from the secret.
  ///
  /// - Parameter keeper: The file of the last checkpoint; nil for none.
  /// - Returns: The sequencer.
  package func auditSequencer(keeper: (any CheckpointKeeper)? = nil) -> AuditSequencer {
    AuditSequencer(
      storage, key: auditKey, keeper: keeper, destinations: policy.destinations.names(wanting: .auditCheckpoint))
  }

  /// Verifies the whole trail in one snapshot: each epoch of the log with its tiles and checkpoints, and all rows beside them.
  ///
  /// - Parameters:
  ///   - knownCheckpoint: A checkpoint that was kept elsewhere; the epoch that it names must extend it.
  ///   - key: The key of the newest epoch from another source than the store; nil to trust the stored one.
  ///   - policy: The witnesses whose cosignatures to verify on all kept checkpoints, and the quorum that one checkpoint of
  ///     the newest epoch must have; nil to ignore cosignatures. It names the log, or none.
  /// - Returns: What the trail contains. Without a log, no record is vouched for.
  /// - Throws: A ``ServiceError`` with one of the `audit.` codes for an invalid trail, or with a storage code.
  @discardableResult
  package func verifyAuditTrail(
    knownCheckpoint: SignedNote? = nil, key: NoteKey? = nil, policy: LogPolicy? = nil
  ) async throws(ServiceError) -> VerifiedAuditTrail {
    try await readAuditLog { (log) throws(ServiceError) in
      try AuditTrailVerifier(log: log, knownCheckpoint: knownCheckpoint, key: key, policy: policy).verify()
    }
  }

  /// Returns the newest log and its newest checkpoint; nil if the store has no log.
  package func auditLog() async throws(ServiceError) -> (log: AuditLog, checkpoint: StoredCheckpoint)? {
    try await readAuditLog { (log) throws(ServiceError) in
      guard let epoch = try stored(log.logs()).last,
        let checkpoint = try stored(log.newestCheckpoint(of: epoch.epoch, isCosigned: false))
      else { return nil }
      return (epoch, checkpoint)
    }
  }

  /// Makes a proof that the log has a record, with the record and its remaining personal details as extra data.
  ///
  /// It leads to the newest checkpoint that a witness cosigned, or to the newest one if no cosigned checkpoint covers the
  /// record.
  ///
  /// - Throws: `audit.record-unknown`; `audit.record-unproven` if no checkpoint covers the record; `audit.log-mismatch`; or
  ///   a storage code.
  package func auditProof(of record: AuditRecordReference) async throws(ServiceError) -> LogProof {
    try await readAuditLog { (log) throws(ServiceError) in try AuditProver(log).proof(of: record, in: log) }
  }

  /// Reads records of the log in the order of their places.
  ///
  /// - Returns: The records from this place on, and the place to read next. Without records it is the beginning of the
  ///   next epoch, or the same place at the end of the log.
  /// - Throws: A storage code.
  package func auditLeaves(
    from place: AuditPlace, limit: Int
  ) async throws(ServiceError) -> (leaves: [StoredLeaf], next: AuditPlace) {
    try await readAuditLog { (log) throws(ServiceError) in
      let leaves = try stored(log.leaves(of: place.epoch, from: place.position, limit: limit))
      if let last = leaves.last {
        return (leaves, AuditPlace(epoch: place.epoch, position: last.position + 1))
      }
      let later = try stored(log.logs()).first { $0.epoch > place.epoch }
      return ([], later.map { AuditPlace(epoch: $0.epoch, position: 0) } ?? place)
    }
  }

  /// Returns the place of a record in the log; nil if it has none.
  ///
  /// - Throws: A storage code.
  package func auditPlace(of number: Int64) async throws(ServiceError) -> AuditPlace? {
    try await readAuditLog { (log) throws(ServiceError) in try stored(log.place(of: number)) }
  }

  /// Returns the number of the newest record; 0 without any.
  ///
  /// - Throws: A storage code.
  package func lastAuditNumber() async throws(ServiceError) -> Int64 {
    try await readAuditLog { (log) throws(ServiceError) in try stored(log.lastNumber()) }
  }

  func readAuditLog<Value: Sendable>(
    _ body: @escaping @Sendable (any AuditLogReading) throws(ServiceError) -> Value
  ) async throws(ServiceError) -> Value {
    try await stored(async: await storage.readAuditLog(body)).get()
  }

  // 8 bytes  [two stores of one relying party must not share an origin]
  private static var storeNameByteCount: Int { 8 }
}
