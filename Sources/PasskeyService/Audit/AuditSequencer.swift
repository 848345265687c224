// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import TransparencyLog
public import WireFormats

/// The last checkpoint that a server saw, kept outside the database. It reveals that the database was rolled back.
public protocol CheckpointKeeper: Sendable {
  /// Returns the kept note; nil without one.
  func load() throws(StorageError) -> Bytes?

  /// Replaces the kept note.
  func save(_ note: Bytes) throws(StorageError)
}

/// Appends the committed records of the trail to the audit log and signs checkpoints.
///
/// Several servers may have a sequencer for one store: the store lets one pass run at a time.
public actor AuditSequencer {
  /// A pass that appended records, or found none that wait.
  public struct Pass: Sendable {
    /// The number of appended records.
    public let count: Int

    /// The newest checkpoint, as a signed note.
    public let note: SignedNote

    /// Whether more records may wait.
    public let isFull: Bool
  }

  /// Whether the trail is a log. A read, so that a chain costs no write.
  private func isLog() async throws(ServiceError) -> Bool {
    try await storage.readingAuditLog { (log) throws(ServiceError) in try !stored(log.logs()).isEmpty }
  }

  private let storage: any Storage
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
  public init(
    _ storage: any Storage, key: SigningKey, keeper: (any CheckpointKeeper)? = nil, destinations: [DestinationName] = []
  ) {
    self.storage = storage
    self.key = key
    self.keeper = keeper
    self.destinations = destinations
  }

  /// Appends waiting records to the log.
  ///
  /// - Returns: The pass; nil if the trail is a chain, or if another server sequences.
  /// - Throws: `audit.key-mismatch`, `audit.rolled-back` or `audit.log-mismatch`, after which no pass can succeed until an
  ///   operator intervenes; or a storage code.
  public func sequence(at time: Timestamp) async throws(ServiceError) -> Pass? {
    let kept = try stored(keeper?.load())
    let (key, held, destinations) = (key, held, destinations)
    if held == nil, try await !isLog() { return nil }
    let outcome: Result<(HeldTree, Pass)?, ServiceError>?
    do throws(StorageError) {
      outcome = try await storage.sequenceAuditLog { (log) throws(ServiceError) in
        let pass = SequencerPass(log: log, key: key, kept: kept, time: time, destinations: destinations)
        return try pass.run(from: held, limit: Self.limit)
      }
    } catch {
      // The transaction may have committed nevertheless.
      self.held = nil
      throw ServiceError(error)
    }
    guard let (tree, pass) = try outcome?.get() else { return nil }
    self.held = tree
    if kept.map({ !$0.elementsEqual(pass.note.bytes) }) ?? true {
      try stored(keeper?.save(pass.note.bytes[...]))
    }
    return pass
  }
}

/// The tree of a log at its newest checkpoint.
struct HeldTree: Sendable {
  let epoch: Int64
  let checkpoint: Checkpoint
  let tree: GrowingTree
}

/// One pass of a sequencer in its transaction.
private struct SequencerPass {
  let log: any AuditLogWriting
  let key: SigningKey
  let kept: Bytes?
  let time: Timestamp
  let destinations: [DestinationName]

  /// Returns nil if the trail is a chain.
  func run(from held: HeldTree?, limit: Int) throws(ServiceError) -> (HeldTree, AuditSequencer.Pass)? {
    guard let epoch = try stored(log.logs()).last else { return nil }
    let signer = try epoch.signer(key)
    guard let newest = try stored(log.newestCheckpoint(of: epoch.epoch, isCosigned: false)) else {
      throw ServiceError(.auditLogMismatch, "epoch \(epoch.epoch) has no checkpoint")
    }
    let verified = try newest.verified(with: [signer.key])
    let checkpoint = verified.checkpoint
    var tree: GrowingTree
    if let held, held.epoch == epoch.epoch, held.checkpoint == checkpoint {
      tree = held.tree
    } else {
      try checkKept(against: checkpoint, of: epoch)
      let edges = TileAddress.edges(ofTreeOf: checkpoint.size).map(\.position)
      let tiles = TileSet(try stored(log.tiles(edges, of: epoch.epoch)))
      tree = try logged(GrowingTree(size: checkpoint.size, root: checkpoint.root, tiles: tiles))
    }
    let records = try stored(log.placeWaiting(in: epoch.epoch, from: tree.size, limit: limit))
    guard !records.isEmpty else {
      try log.announce(verified.note, of: epoch, size: checkpoint.size, to: destinations, at: time)
      return (
        HeldTree(epoch: epoch.epoch, checkpoint: checkpoint, tree: tree),
        AuditSequencer.Pass(count: 0, note: verified.note, isFull: false)
      )
    }
    for record in records { try logged(tree.append(TreeHash(ofEntry: record))) }
    let next = try logged(Checkpoint(origin: epoch.origin, size: tree.size, root: tree.root))
    let signed = try logged(next.signed(by: signer, at: time))
    try stored(log.write(tree.takeChangedTiles(), of: epoch.epoch))
    try stored(
      log.write(
        StoredCheckpoint(
          epoch: epoch.epoch, size: next.size, signed: time, isCosigned: false, note: signed.bytes[...])))
    try log.announce(signed, of: epoch, size: next.size, to: destinations, at: time)
    return (
      HeldTree(epoch: epoch.epoch, checkpoint: next, tree: tree),
      AuditSequencer.Pass(count: records.count, note: signed, isFull: records.count == limit)
    )
  }

  /// Checks that the log extends the checkpoint that this server kept.
  private func checkKept(against checkpoint: Checkpoint, of epoch: AuditLog) throws(ServiceError) {
    guard let kept, let note = try? SignedNote(parsing: kept), let known = try? Checkpoint(parsing: note.text),
      known.origin == checkpoint.origin, known.size > 0
    else { return }
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

extension AuditLogStorage {
  /// Reads the log, and throws the error of the body or of the store.
  func readingAuditLog<Value: Sendable>(
    _ body: @escaping @Sendable (any AuditLogReading) throws(ServiceError) -> Value
  ) async throws(ServiceError) -> Value {
    let result: Result<Value, ServiceError>
    do throws(StorageError) {
      result = try await readAuditLog(body)
    } catch {
      throw ServiceError(error)
    }
    return try result.get()
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
  do throws(StorageError) {
    return try value()
  } catch {
    throw ServiceError(error)
  }
}

/// Evaluates a call about the log and reports its error as `audit.log-mismatch`.
func logged<Value>(_ value: @autoclosure () throws(TransparencyLogError) -> Value) throws(ServiceError) -> Value {
  do throws(TransparencyLogError) {
    return try value()
  } catch {
    throw ServiceError(.auditLogMismatch, "\(error)")
  }
}
