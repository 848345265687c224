// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import PasskeyStorage
package import PasskeyTransparencyLog

/// The answer of a witness to a request, or why it gave no answer.
package enum WitnessAnswer: Sendable {
  /// The witness answered over HTTP.
  case answered(status: Int, mediaType: String?, body: Bytes)
  /// There was no usable answer.
  case failed(reason: String)
}

/// Asks a witness to cosign checkpoints of the audit log, and stores its cosignatures (C2SP tlog-witness).
///
/// The store keeps the size that the witness cosigned last. A request proves that the log has only grown since.
package struct AuditCosigner: Sendable {
  /// The outcome of a request for one checkpoint.
  package enum Outcome: Hashable, Sendable {
    /// The stored checkpoint has the cosignature.
    case cosigned
    /// The witness has cosigned this checkpoint or a later one before, or the log has a new epoch.
    case superseded
    /// The witness cannot be reached, or sent an invalid response. A later request may succeed.
    case failed(reason: String)
    /// The witness has cosigned records that the store does not have: the store is an older copy or a fork of the log.
    case contradicted(reason: String)
  }

  private let storage: DatabaseStorage

  /// The key of the witness.
  package let witness: NoteKey

  // 3 requests [the first with the known size, the second with the size of the witness, and one more if another server
  // asked between them]
  private static let requestLimit = 3

  /// Creates a cosigner.
  ///
  /// - Parameters:
  ///   - storage: The store with the log.
  ///   - witness: A key for cosignatures.
  package init(_ storage: DatabaseStorage, witness: NoteKey) {
    self.storage = storage
    self.witness = witness
  }

  /// Obtains the cosignature of a checkpoint and stores it.
  ///
  /// - Parameters:
  ///   - note: A checkpoint of the log, as ``AuditSequencer/sequence(at:)`` returns it.
  ///   - asksAgain: Whether to ask even if the store has the cosignature. The answer shows whether the witness has seen more
  ///     records or other ones, for example because an older copy of the store was restored.
  ///   - ask: Sends a request to the witness.
  /// - Returns: What became of the checkpoint. The store keeps a contradiction until the witness cosigns a checkpoint or a new
  ///   epoch begins. Until then no ``AuditSequencer`` appends records.
  /// - Throws: `audit.log-mismatch` or a storage code.
  package func cosign(
    _ note: SignedNote, asksAgain: Bool = false, by ask: @Sendable (WitnessRequest) async -> WitnessAnswer
  ) async throws(ServiceError) -> Outcome {
    let checkpoint = try logged(Checkpoint(parsing: note.text))
    guard let (epoch, known) = try await position(of: checkpoint),
      known < checkpoint.size || asksAgain && known == checkpoint.size
    else { return .superseded }
    let outcome = try await cosign(note, checkpoint, of: epoch, from: known, by: ask)
    guard case .contradicted(let reason) = outcome else { return outcome }
    let isKept = await keep(.contradiction(of: witness, epoch: epoch, size: checkpoint.size))
    return isKept ? outcome : .contradicted(reason: "\(reason) (other servers do not know: it could not be stored)")
  }

  private func cosign(
    _ note: SignedNote, _ checkpoint: Checkpoint, of epoch: Int64, from known: UInt64,
    by ask: @Sendable (WitnessRequest) async -> WitnessAnswer
  ) async throws(ServiceError) -> Outcome {
    var oldSize = known
    for _ in 0..<Self.requestLimit {
      let proof = try await proof(from: oldSize, to: checkpoint.size, of: epoch)
      let answer = await ask(WitnessRequest(oldSize: oldSize, consistency: proof, checkpoint: note))
      let fork = Outcome.contradicted(reason: "it has cosigned another log of \(oldSize) records")
      let response: WitnessResponse
      switch answer {
      case .failed(let reason): return .failed(reason: reason)
      // The page of a proxy is no answer of the witness.
      case .answered(let status, let mediaType?, _) where mediaType.lowercased().hasPrefix("text/html"):
        return .failed(reason: "a page with the status \(status)")
      // Only the proof can be wrong, and it is right in this store. A witness without a checkpoint needs none.
      case .answered(422, _, _) where oldSize > 0: return fork
      case .answered(let status, let mediaType, let body):
        do throws(TransparencyLogError) {
          response = try WitnessResponse(status: status, mediaType: mediaType, body: body)
        } catch {
          // Some witnesses answer 409 without a size for another root of the same size; C2SP tlog-witness demands 422.
          return status == 409 && oldSize == checkpoint.size ? fork : .failed(reason: error.description)
        }
      }
      guard case .conflict(let lastSize) = response else { return try await keep(response, note, checkpoint, epoch) }
      if lastSize > checkpoint.size {
        // Another server may have sent a later checkpoint, which it committed before.
        let size = try await size(of: epoch)
        guard lastSize > size else { return .superseded }
        return .contradicted(reason: "it has cosigned a log of \(lastSize) records, and the database has \(size)")
      }
      guard lastSize != oldSize else {
        return oldSize == checkpoint.size
          ? fork : .failed(reason: "the witness answered 409 with the size that was sent")
      }
      oldSize = lastSize
    }
    return .failed(reason: "the witness named a different size in each of \(Self.requestLimit) answers")
  }

  /// Returns the epoch of a checkpoint and the size that the witness cosigned last, 0 for none; nil if the log has a newer
  /// epoch. A size that the store does not have proves nothing: the witness must be asked.
  private func position(
    of checkpoint: Checkpoint
  ) async throws(ServiceError) -> (epoch: Int64, known: UInt64)? {
    let observer = witness.text
    return try await storage.readingAuditLog { (log) throws(ServiceError) in
      guard let epoch = try stored(log.logs()).last, epoch.origin.utf8.elementsEqual(checkpoint.origin.utf8) else {
        return nil
      }
      let newest = try stored(log.newestCheckpoint(of: epoch.epoch, isCosigned: false))?.size ?? 0
      guard let known = try stored(log.observedCheckpoint(by: observer)), known.epoch == epoch.epoch,
        known.size <= newest
      else { return (epoch.epoch, 0) }
      return (epoch.epoch, known.size)
    }
  }

  private func proof(
    from older: UInt64, to newer: UInt64, of epoch: Int64
  ) async throws(ServiceError) -> ConsistencyProof {
    let plan = try logged(ProofPlan.consistency(from: older, to: newer))
    return try await storage.readingAuditLog { (log) throws(ServiceError) in
      let tiles = TileSet(try stored(log.tiles(plan.tiles.map(\.position), of: epoch)))
      return ConsistencyProof(hashes: try logged(plan.hashes(from: tiles)))
    }
  }

  private func size(of epoch: Int64) async throws(ServiceError) -> UInt64 {
    try await storage.readingAuditLog { (log) throws(ServiceError) in
      try stored(log.newestCheckpoint(of: epoch, isCosigned: false))?.size ?? 0
    }
  }

  /// Stores a contradiction, unless there is one of a newer epoch. Returns false if that fails: an error must not hide the
  /// contradiction.
  private func keep(_ contradiction: ObservedCheckpoint) async -> Bool {
    let result = try? await storage.changeAuditLog { (log) throws(ServiceError) in
      let known = try stored(log.observedCheckpoint(by: contradiction.observer))
      if let known, known.epoch > contradiction.epoch { return }
      try stored(log.write(contradiction))
    }
    return if case .success? = result { true } else { false }
  }

  /// Verifies the cosignature and adds it to the stored checkpoint.
  private func keep(
    _ response: WitnessResponse, _ note: SignedNote, _ checkpoint: Checkpoint, _ epoch: Int64
  ) async throws(ServiceError) -> Outcome {
    let signatures: [NoteSignature]
    do throws(TransparencyLogError) {
      signatures = try response.cosignatures(of: note, keys: [witness])
    } catch {
      return .failed(reason: error.description)
    }
    let observed = ObservedCheckpoint(observer: witness.text, epoch: epoch, size: checkpoint.size)
    let outcome = try await stored(
      async: await storage.changeAuditLog { (log) throws(ServiceError) in
        try log.add(signatures, to: note, observed)
      })
    try outcome.get()
    return .cosigned
  }
}

extension AuditLogWriting {
  /// Adds cosignatures to a stored checkpoint, and notes what the witness has cosigned. A sweep may have deleted the
  /// checkpoint.
  fileprivate func add(
    _ signatures: [NoteSignature], to note: SignedNote, _ observed: ObservedCheckpoint
  ) throws(ServiceError) {
    let found = try stored(checkpoints(of: observed.epoch, from: observed.size, limit: 1)).first
    if var checkpoint = found, checkpoint.size == observed.size {
      var kept = try logged(SignedNote(parsing: checkpoint.note))
      guard kept.text == note.text else {
        throw ServiceError(.auditLogMismatch, "the stored checkpoint of \(observed.size) records is another one")
      }
      try logged(kept.add(signatures))
      checkpoint.note = kept.bytes[...]
      checkpoint.isCosigned = true
      try stored(write(checkpoint))
    }
    try withdrawContradiction(by: observed)
    // Another server may have stored a later one, but none that the log does not have.
    let newest = try stored(newestCheckpoint(of: observed.epoch, isCosigned: false))?.size ?? 0
    if let known = try stored(observedCheckpoint(by: observed.observer)) {
      if known.epoch > observed.epoch { return }
      if known.epoch == observed.epoch, known.size > observed.size, known.size <= newest { return }
    }
    try stored(write(observed))
  }

  /// Overwrites a contradiction of the witness, which has now cosigned at least as many records. A late cosignature of fewer
  /// records says nothing about it.
  private func withdrawContradiction(by observed: ObservedCheckpoint) throws(ServiceError) {
    let none = ObservedCheckpoint(observer: ObservedCheckpoint.contradiction + observed.observer, epoch: 0, size: 0)
    guard let known = try stored(observedCheckpoint(by: none.observer)), known.epoch == observed.epoch,
      known.size <= observed.size
    else { return }
    try stored(write(none))
  }
}

extension AuditLogReading {
  /// Returns the contradiction of a witness to the log of an epoch, as a sentence; nil if no witness contradicts it.
  func contradiction(in epoch: Int64) throws(ServiceError) -> String? {
    for observed in try stored(observedCheckpoints()) where observed.epoch == epoch {
      guard observed.observer.hasPrefix(ObservedCheckpoint.contradiction) else { continue }
      let name = observed.observer.dropFirst(ObservedCheckpoint.contradiction.count).prefix { $0 != "+" }
      return "the witness \(name) has cosigned other records than the \(observed.size) of the database"
    }
    return nil
  }
}

extension ObservedCheckpoint {
  /// The prefix of an observer that contradicts. The name of a key has no space.
  fileprivate static let contradiction = "contradiction "

  /// A checkpoint that a witness contradicts.
  fileprivate static func contradiction(of witness: NoteKey, epoch: Int64, size: UInt64) -> Self {
    Self(observer: contradiction + witness.text, epoch: epoch, size: size)
  }
}
