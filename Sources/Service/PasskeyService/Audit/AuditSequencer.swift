// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
package import PasskeyFormats
package import PasskeyStorage
package import PasskeyTransparencyLog

/// The last checkpoint that a server saw, kept outside the database. It reveals that the database was rolled back.
package protocol CheckpointKeeper: Sendable {
  /// Returns the kept note; nil without one.
  func load() async throws(StorageError) -> [UInt8]?

  /// Replaces the kept note durably.
  func save(_ note: [UInt8]) async throws(StorageError)
}

/// Appends the committed records of the trail to the audit log and signs checkpoints.
///
/// Several servers may have a sequencer for one store: the store lets one pass run at a time.
package actor AuditSequencer {
  /// A pass that appended records, or found none that wait.
  package struct Pass: Sendable {
    /// The number of appended records.
    package let count: Int

    /// The newest checkpoint, as a signed note.
    package let note: SignedNote

    /// Whether more records may wait.
    package let isFull: Bool

    /// The reason why the checkpoint could not be kept outside the database; nil if it is kept. The pass is committed all
    /// the same.
    package var keepingFault: StorageError?
  }

  private let storage: DatabaseStorage
  private let key: SigningKey
  private let keeper: (any CheckpointKeeper)?
  private let destinations: [DestinationName]
  private var held: HeldTree?

  /// 4,096 records  [some milliseconds of hashing]
  private static let limit = 4_096

  /// Creates a sequencer.
  ///
  /// - Parameters:
  ///   - storage: The store.
  ///   - key: The Ed25519 key of the log.
  ///   - keeper: The file of the last checkpoint; nil for none.
  ///   - destinations: The destinations of the outbox that want ``NoticeEvent/auditCheckpoint``.
  package init(
    _ storage: DatabaseStorage, key: SigningKey, keeper: (any CheckpointKeeper)? = nil,
    destinations: [DestinationName] = []
  ) {
    self.storage = storage
    self.key = key
    self.keeper = keeper
    self.destinations = destinations
  }

  /// Appends waiting records to the log.
  ///
  /// Looks before it writes: an idle log costs a read.
  ///
  /// - Returns: The pass; nil if another server sequences.
  /// - Throws: `audit.key-mismatch`, `audit.rolled-back`, `audit.log-mismatch` or `audit.checkpoint-unreadable`, after which
  ///   no pass can succeed until an operator intervenes; or a storage code.
  package func sequence(at time: UnixTime) async throws(ServiceError) -> Pass? {
    let kept = try await keptNote()
    let (tree, idle, isDue) = try await look(kept, at: time)
    guard isDue else { return await complete(tree, idle, kept) }
    let (key, destinations) = (key, destinations)
    // If it fails, it may have committed nevertheless. The next pass compares what it finds with the tree that is held.
    let outcome = try await stored(
      async: await storage.sequenceAuditLog { (log) throws(ServiceError) in
        let found = try SequencerLook(log: log, key: key, kept: kept).newest(knowing: tree)
        return try SequencerPass(log: log, time: time, destinations: destinations, newest: found).run(limit: Self.limit)
      })
    guard let (next, pass) = try outcome?.get() else { return nil }
    return await complete(next, pass, kept)
  }

  /// Reads the newest checkpoint with its tree, and whether a pass would write: records wait, or an announcement is due.
  private func look(_ kept: [UInt8]?, at time: UnixTime) async throws(ServiceError) -> (HeldTree, Pass, isDue: Bool) {
    let (key, held, destinations) = (key, held, destinations)
    return try await storage.readingAuditLog { (log) throws(ServiceError) in
      let found = try SequencerLook(log: log, key: key, kept: kept).newest(knowing: held)
      let (tree, size) = (found.tree, found.tree.checkpoint.size)
      let waits = try stored(log.hasWaiting(in: tree.epoch, from: size))
      let isAnnouncementDue =
        destinations.isEmpty ? false : try log.isAnnouncementDue(of: found.log, size: size, at: time)
      return (tree, Pass(count: 0, note: found.note, isFull: false), waits || isAnnouncementDue)
    }
  }

  /// Holds the tree of a pass and keeps its checkpoint.
  private func complete(_ tree: HeldTree, _ pass: Pass, _ kept: [UInt8]?) async -> Pass {
    held = tree
    guard let keeper, kept != pass.note.bytes else { return pass }
    var pass = pass
    do throws(StorageError) {
      try await keeper.save(pass.note.bytes)
    } catch {
      pass.keepingFault = error
    }
    return pass
  }

  private func keptNote() async throws(ServiceError) -> [UInt8]? {
    try await stored(async: await keeper?.load())
  }
}

/// The tree of a log at its newest checkpoint.
struct HeldTree: Sendable {
  let epoch: Int64
  let checkpoint: Checkpoint
  let tree: GrowingTree
}

/// The newest checkpoint of a log, verified, with what continues it.
private struct NewestCheckpoint {
  let log: AuditLog
  let signer: NoteSigner
  let note: SignedNote
  let tree: HeldTree
}

/// A look of a sequencer at the end of the log.
private struct SequencerLook {
  let log: any AuditLogReading
  let key: SigningKey
  let kept: [UInt8]?

  /// Returns the newest checkpoint, after its signature, its tiles and the kept checkpoint are checked. The held tree needs no
  /// check if no other server has appended since.
  func newest(knowing held: HeldTree?) throws(ServiceError) -> NewestCheckpoint {
    guard let epoch = try stored(log.logs()).last else {
      let kept = try keptCheckpoint()
      guard let last = held?.checkpoint ?? kept else {
        throw ServiceError(.auditLogMismatch, "the store has no log")
      }
      throw ServiceError(.auditRolledBack, "the log \(last.origin) has disappeared")
    }
    let signer = try epoch.signer(key)
    if let contradiction = try log.contradiction(in: epoch.epoch) {
      throw ServiceError(.auditRolledBack, contradiction)
    }
    guard let newest = try stored(log.newestCheckpoint(of: epoch.epoch, isCosigned: false)) else {
      throw ServiceError(.auditLogMismatch, "epoch \(epoch.epoch) has no checkpoint")
    }
    let verified = try newest.verified(with: [signer.key])
    let checkpoint = verified.checkpoint
    if let held, held.epoch == epoch.epoch, held.checkpoint == checkpoint {
      return NewestCheckpoint(log: epoch, signer: signer, note: verified.note, tree: held)
    }
    // Another server has appended since, or the database was replaced while this one ran.
    if let held { try check(checkpoint, extends: held.checkpoint, of: epoch) }
    if let known = try keptCheckpoint(), known != held?.checkpoint {
      try check(checkpoint, extends: known, of: epoch)
    }
    let edges = TileAddress.edges(ofTreeOf: checkpoint.size).map(\.position)
    let tiles = TileSet(try stored(log.tiles(edges, of: epoch.epoch)))
    let tree = try logged(GrowingTree(size: checkpoint.size, root: checkpoint.root, tiles: tiles))
    return NewestCheckpoint(
      log: epoch, signer: signer, note: verified.note,
      tree: HeldTree(epoch: epoch.epoch, checkpoint: checkpoint, tree: tree))
  }

  /// Returns the checkpoint that this server kept; nil without one.
  private func keptCheckpoint() throws(ServiceError) -> Checkpoint? {
    guard let kept else { return nil }
    return try mapError(Checkpoint(parsing: SignedNote(parsing: kept).text)) { (error: TransparencyLogError) in
      ServiceError(.auditCheckpointUnreadable, "\(error)")
    }
  }

  /// Checks that the log extends a checkpoint. Ignores one of an earlier epoch, or of another relying party.
  private func check(
    _ checkpoint: Checkpoint, extends known: Checkpoint, of epoch: AuditLog
  ) throws(ServiceError) {
    guard known.origin == checkpoint.origin else {
      guard epoch.replaces(known.origin) else { return }
      throw ServiceError(.auditRolledBack, "the log is \(epoch.origin), and the last checkpoint is of \(known.origin)")
    }
    guard known.size > 0 else { return }
    guard known.size <= checkpoint.size else {
      throw ServiceError(.auditRolledBack, "\(checkpoint.size) records, and \(known.size) at the last checkpoint")
    }
    let plan = try logged(ProofPlan.consistency(from: known.size, to: checkpoint.size))
    let tiles = TileSet(try stored(log.tiles(plan.tiles.map(\.position), of: epoch.epoch)))
    do throws(TransparencyLogError) {
      try ConsistencyProof(hashes: plan.hashes(from: tiles)).verify(from: known, to: checkpoint)
    } catch {
      throw ServiceError(.auditRolledBack, "the log does not extend the last checkpoint: \(error)")
    }
  }
}

/// One pass of a sequencer in its transaction.
private struct SequencerPass {
  let log: any AuditLogWriting
  let time: UnixTime
  let destinations: [DestinationName]
  let newest: NewestCheckpoint

  func run(limit: Int) throws(ServiceError) -> (HeldTree, AuditSequencer.Pass) {
    let epoch = newest.log
    var tree = newest.tree.tree
    let records = try stored(log.placeWaiting(in: epoch.epoch, from: tree.size, limit: limit))
    guard !records.isEmpty else {
      try announce(newest.note, size: tree.size)
      return (newest.tree, AuditSequencer.Pass(count: 0, note: newest.note, isFull: false))
    }
    for record in records { try logged(tree.append(TreeHash(ofEntry: record))) }
    let next = try logged(Checkpoint(origin: epoch.origin, size: tree.size, root: tree.root))
    let signed = try logged(next.signed(by: newest.signer, at: time))
    try stored(log.write(tree.takeChangedTiles(), of: epoch.epoch))
    try stored(
      log.write(
        StoredCheckpoint(
          epoch: epoch.epoch, size: next.size, signed: time, isCosigned: false, note: signed.bytes)))
    try announce(signed, size: next.size)
    return (
      HeldTree(epoch: epoch.epoch, checkpoint: next, tree: tree),
      AuditSequencer.Pass(count: records.count, note: signed, isFull: records.count >= limit)
    )
  }

  private func announce(_ note: SignedNote, size: UInt64) throws(ServiceError) {
    try log.announce(note, of: newest.log, size: size, to: destinations, at: time)
  }
}

extension DatabaseStorage {
  /// Reads the log, and throws the error of the body or of the store.
  func readingAuditLog<Value: Sendable>(
    _ body: @escaping @Sendable (any AuditLogReading) throws(ServiceError) -> Value
  ) async throws(ServiceError) -> Value {
    try await stored(async: await readAuditLog(body)).get()
  }
}

extension AuditLog {
  /// Returns the signer of checkpoints.
  ///
  /// - Throws: `audit.key-mismatch` if the log has another key.
  func signer(_ key: SigningKey) throws(ServiceError) -> NoteSigner {
    let signer = try logged(NoteSigner(name: origin, kind: .ed25519, signingKey: key))
    guard signer.key.text == verifier else {
      throw ServiceError(.auditKeyMismatch, "the log's key is \(verifier), and this server's \(signer.key.text)")
    }
    return signer
  }
}

extension StoredCheckpoint {
  /// Parses the note and verifies its signature, its size and the cosignatures of known witnesses.
  ///
  /// - Throws: `audit.log-mismatch`.
  func verified(with keys: [NoteKey], witnesses: [NoteKey] = []) throws(ServiceError) -> VerifiedCheckpoint {
    let verified = try logged(LogPolicy(logs: keys, witnesses: witnesses).verify(SignedNote(parsing: note)))
    guard verified.checkpoint.size == size else {
      throw ServiceError(.auditLogMismatch, "a checkpoint of \(verified.checkpoint.size) records is filed as \(size)")
    }
    return verified
  }
}

/// Evaluates a call of the store and wraps its error.
func stored<Value>(_ value: @autoclosure () throws(StorageError) -> Value) throws(ServiceError) -> Value {
  try mapError(value()) { (error: StorageError) in ServiceError(error) }
}

/// Awaits a call of the store and wraps its error.
nonisolated(nonsending) func stored<Value>(
  async value: @autoclosure () async throws(StorageError) -> Value
) async throws(ServiceError) -> Value {
  do throws(StorageError) {
    return try await value()
  } catch {
    throw ServiceError(error)
  }
}

/// Evaluates a call about the log and reports its error as `audit.log-mismatch`.
func logged<Value>(_ value: @autoclosure () throws(TransparencyLogError) -> Value) throws(ServiceError) -> Value {
  try mapError(value()) { (error: TransparencyLogError) in ServiceError(.auditLogMismatch, "\(error)") }
}
