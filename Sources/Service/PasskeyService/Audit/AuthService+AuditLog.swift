// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
internal import PasskeyFormats
package import PasskeyTransparencyLog
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

extension AuthService {
  /// Turns the chain into a log, or begins a new epoch of a log. Verifies the trail first.
  ///
  /// The first record of the log names what precedes it: the end of the chain and the result of its seal, or the last
  /// checkpoint.
  ///
  /// - Parameters:
  ///   - key: The Ed25519 key of the log.
  ///   - kept: The last checkpoint that a server has seen, after the restoration of an older copy. If the database has lost
  ///     it, the first record names it beside the newest stored one. The new epoch is later than that of the checkpoint.
  ///   - context: The time and origin of the request.
  /// - Returns: The log.
  /// - Throws: A code of ``verifyAuditTrail(knownHead:knownCheckpoint:key:policy:)``; `audit.head-mismatch` if another server
  ///   changed the log meanwhile; or a storage code.
  @discardableResult
  package func beginAuditLog(
    key: SigningKey, kept: SignedNote? = nil, in context: CallContext
  ) async throws(ServiceError) -> AuditLog {
    let trail = try await verifyGrowingTrail()
    let lost = try kept.flatMap { (kept) throws(ServiceError) in try Self.isLost(kept, by: trail) ? kept : nil }
    let seen = kept.flatMap { AuditLog.epoch(inOrigin: $0.origin) } ?? 0
    let result = try await stored(
      async: await storage.beginAuditLog { (log) throws(ServiceError) in
        try self.logBeginning(after: trail.extended(in: log), lost: lost, seen: seen, key: key, in: context)
      })
    guard let result else { throw ServiceError(.auditHeadMismatch, "another server changed the log meanwhile") }
    return try result.get()
  }

  /// Returns whether a checkpoint is of the newest epoch, and larger than the newest stored one.
  private static func isLost(_ kept: SignedNote, by trail: VerifiedAuditTrail) throws(ServiceError) -> Bool {
    guard let log = trail.log, log.origin == kept.origin, let stored = trail.checkpoint?.checkpoint else {
      return false
    }
    // Otherwise no later verification could succeed.
    return try logged(LogPolicy(logs: [NoteKey(log.verifier)]).verify(kept)).checkpoint.size > stored.size
  }

  /// Verifies the trail while servers append records. Few records remain for the transaction that begins the log, which
  /// blocks all other writes.
  private func verifyGrowingTrail() async throws(ServiceError) -> VerifiedAuditTrail {
    var trail = try await verifyAuditTrail()
    for _ in 0..<Self.maximumExtensionCount {
      let last = trail.chain.head.sequence
      trail = try await readAuditLog { [trail] (log) throws(ServiceError) in try trail.extended(in: log) }
      guard trail.chain.head.sequence - last > Self.smallExtension else { break }
    }
    return trail
  }

  // 10 rounds  [each takes a fraction of the one before, unless servers append faster than one process verifies]
  private static let maximumExtensionCount = 10
  // 100 records  [verified in some milliseconds]
  private static let smallExtension: Int64 = 100

  /// Returns the beginning of the epoch that follows a trail, nil for one without records, and the epoch `seen`.
  func logBeginning(
    after trail: VerifiedAuditTrail?, lost: SignedNote? = nil, seen: Int64 = 0, key: SigningKey,
    in context: CallContext
  ) throws(ServiceError) -> AuditLogBeginning {
    let end = trail?.chain.head ?? .beginning
    var details: [String: String] = [:]
    if let stored = trail?.checkpoint?.note {
      details[AuditBeginning.checkpointName] = Base64.encode((lost ?? stored).bytes)
      // Without it, a verifier could not distinguish a lost part of the log from one that was removed later.
      if lost != nil { details[AuditBeginning.storedName] = Base64.encode(stored.bytes) }
    } else if let trail, end != .beginning {
      details[AuditBeginning.chainName] = end.pair
      details["seal"] = auditKey.accepts(trail.chain) ? "valid" : "invalid"
    }
    let epoch = min(max(trail?.log?.epoch ?? 0, seen), .max - 1) + 1
    let store = Hex.encode(try random.draw(Self.storeNameByteCount))
    let origin = AuditLog.origin(of: epoch, in: store, relyingParty.id.text)
    let record = try draft(.auditLogBegan, by: nil, of: nil, subject: nil, details: details, in: context)
    let signer = try logged(NoteSigner(name: origin, kind: .ed25519, signingKey: key))
    var tree = GrowingTree()
    try logged(tree.append(TreeHash(ofEntry: record.logged(as: 0).record.encoded)))
    let checkpoint = try logged(Checkpoint(origin: origin, size: 1, root: tree.root))
    let note = try logged(checkpoint.signed(by: signer, at: context.time))
    guard let tile = tree.takeChangedTiles().first else { throw ServiceError(.auditLogMismatch, "no tile") }
    let predecessor: AuditLogBeginning.Predecessor =
      if let log = trail?.log, let newest = trail?.checkpoint {
        .log(epoch: log.epoch, size: newest.checkpoint.size)
      } else {
        .chain(end)
      }
    return AuditLogBeginning(
      log: AuditLog(epoch: epoch, origin: origin, verifier: signer.key.text, after: end.sequence),
      predecessor: predecessor, record: record, tile: tile,
      checkpoint: StoredCheckpoint(
        epoch: epoch, size: 1, signed: context.time, isCosigned: false, note: note.bytes[...]))
  }

  /// Verifies the whole trail in one snapshot: the chain, each epoch of the log with its tiles and checkpoints, and all
  /// rows beside them.
  ///
  /// - Parameters:
  ///   - knownHead: An end of the chain that was kept elsewhere; the chain must contain it.
  ///   - knownCheckpoint: A checkpoint that was kept elsewhere; the epoch that it names must extend it.
  ///   - key: The key of the newest epoch from another source than the store; nil to trust the stored one.
  ///   - policy: The witnesses whose cosignatures to verify on all kept checkpoints, and the quorum that one checkpoint of
  ///     the newest epoch must have; nil to ignore cosignatures. It names the log, or none.
  /// - Returns: What the trail contains. The caller verifies the seal of the chain (``verifyAuditEnd(_:)``).
  /// - Throws: A ``ServiceError`` with one of the `audit.` codes for an invalid trail, or with a storage code.
  package func verifyAuditTrail(
    knownHead: AuditHead? = nil, knownCheckpoint: SignedNote? = nil, key: NoteKey? = nil, policy: LogPolicy? = nil
  ) async throws(ServiceError) -> VerifiedAuditTrail {
    try await stored(
      async: await storage.verifyAuditTrail(
        knownHead: knownHead, knownCheckpoint: knownCheckpoint, key: key, policy: policy)
    ).get()
  }

  /// Returns the newest log and its newest checkpoint; nil while the trail is a chain.
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
