// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeySystem
internal import PasskeyTransparencyLog

/// The background tasks that send checkpoints to witnesses. Each witness has its own, so that none waits for another one,
/// and no request of a user waits for any.
final class RunningWitnesses: Sendable {
  private let lines: [WitnessLine]
  private let patience: Duration
  /// The end of the wait for first answers; nil before the first checkpoint.
  private let deadline = Locked<ContinuousClock.Instant?>(nil)

  // 5 s [records wait for their places meanwhile, and no request does]
  static let patience = Duration.seconds(5)

  /// Starts the tasks.
  ///
  /// - Parameters:
  ///   - witnesses: The witnesses.
  ///   - storage: The store with the log.
  ///   - interval: The time between two checkpoints for one witness, and after its first failure.
  ///   - patience: The time that the witnesses have for their first answers.
  init(
    _ witnesses: [AuditWitness], _ storage: DatabaseStorage, interval: Duration = .seconds(10),
    patience: Duration = RunningWitnesses.patience
  ) {
    lines = witnesses.map { WitnessLine($0, storage, interval: interval) }
    self.patience = patience
  }

  /// Sends a checkpoint to all witnesses, unless a newer one follows before it is due.
  func submit(_ note: SignedNote) {
    deadline.withLock { (deadline) in
      if deadline == nil { deadline = .now + patience }
    }
    for line in lines { line.submit(note) }
  }

  /// Whether each witness has answered or failed once, or their time for that is over.
  var haveAnswered: Bool {
    lines.allSatisfy(\.hasAnswered) || deadline.withLock { $0.map { $0 <= .now } ?? false }
  }

  /// Whether a witness contradicts a log, maybe an earlier one.
  var haveContradicted: Bool { lines.contains { $0.contradictedOrigin != nil } }

  /// Returns whether a witness contradicts the log with this origin. Such a log must not grow.
  func contradicts(_ origin: String) -> Bool { lines.contains { $0.contradictedOrigin == origin } }

  /// Cancels the running requests.
  func stop() async {
    for line in lines { line.cancel() }
    for line in lines { await line.end() }
  }
}

/// The task of one witness.
private final class WitnessLine: Sendable {
  private struct State {
    /// The newest checkpoint that was submitted.
    var newest: SignedNote?
    var contradictedOrigin: String?
    /// Whether the witness has answered or failed.
    var hasAnswered = false
    /// Whether the witness has cosigned for this process.
    var hasCosigned = false
    /// The failure that was reported last.
    var fault: String?
  }

  private let name: String
  private let cosigner: AuditCosigner
  private let connection: WitnessConnection
  private let interval: Duration
  private let state = Locked(State())
  private let notes: AsyncStream<SignedNote>
  private let continuation: AsyncStream<SignedNote>.Continuation
  private let task = Locked<Task<Void, Never>?>(nil)

  // 64 intervals  [some ten minutes]
  private static let longestPause = 64

  init(_ witness: AuditWitness, _ storage: DatabaseStorage, interval: Duration) {
    name = witness.key.name.escapedForTerminal
    cosigner = AuditCosigner(storage, witness: witness.key)
    connection = WitnessConnection(witness)
    self.interval = interval
    (notes, continuation) = AsyncStream.makeStream(of: SignedNote.self, bufferingPolicy: .bufferingNewest(1))
    let started = Task { [weak self, notes] in
      for await note in notes { await self?.send(note) }
    }
    task.withLock { $0 = started }
  }

  var contradictedOrigin: String? { state.withLock { $0.contradictedOrigin } }

  var hasAnswered: Bool { state.withLock { $0.hasAnswered } }

  func submit(_ note: SignedNote) {
    state.withLock { $0.newest = note }
    continuation.yield(note)
  }

  func cancel() {
    continuation.finish()
    task.withLock { $0 }?.cancel()
  }

  func end() async {
    await task.withLock { $0 }?.value
    await connection.close()
  }

  /// Sends a checkpoint, and after a failure or a contradiction the newest one, until the witness has cosigned.
  private func send(_ note: SignedNote) async {
    var note = note
    var pause = 1
    while !Task.isCancelled {
      guard await cosign(note) == false else {
        try? await Task.sleep(for: interval)
        return
      }
      try? await Task.sleep(for: interval * pause)
      pause = min(2 * pause, Self.longestPause)
      note = state.withLock { $0.newest } ?? note
    }
  }

  /// Sends a checkpoint once. Returns false if it must be sent again, and nil if nothing was sent.
  private func cosign(_ note: SignedNote) async -> Bool? {
    let outcome: AuditCosigner.Outcome
    do throws(ServiceError) {
      // An older copy of the database may have been restored while the server was stopped.
      let asksAgain = state.withLock { !$0.hasCosigned || $0.contradictedOrigin != nil }
      outcome = try await cosigner.cosign(note, asksAgain: asksAgain, by: connection.ask)
    } catch {
      switch error.code {
      // The store monitor reports a store that does not respond.
      case .storageUnavailable, .storageContended: break
      default: warn(error.description)
      }
      return false
    }
    // After the switch: the log may grow from then on, unless a contradiction is noted.
    defer { state.withLock { $0.hasAnswered = true } }
    switch outcome {
    case .cosigned:
      let hadContradicted = state.withLock { (state) in
        defer { (state.hasCosigned, state.contradictedOrigin) = (true, nil) }
        return state.contradictedOrigin != nil
      }
      if report(nil) != nil || hadContradicted { Diagnostics.server.note("the witness \(name) cosigns again") }
      return true
    case .superseded:
      // There is a later checkpoint. The store still has the contradiction, unless a cosignature withdrew it.
      let hadContradicted = state.withLock { (state) in
        defer { state.contradictedOrigin = nil }
        return state.contradictedOrigin != nil
      }
      if hadContradicted {
        Diagnostics.server.note("the witness \(name) no longer contradicts: there is a later checkpoint")
      }
      return nil
    case .failed(let reason):
      warn(reason)
      return false
    case .contradicted(let reason):
      let origin = try? Checkpoint(parsing: note.text).origin
      let isNew = state.withLock { (state) in
        defer { state.contradictedOrigin = origin }
        return state.contradictedOrigin != origin
      }
      guard isNew else { return false }
      Diagnostics.server.note(
        """
        warning: the witness \(name) contradicts this database: \(reason.escapedForTerminal); the transparency log \
        does not grow; if an older copy was restored, run passkey-server audit begin --after-restore
        """)
      return false
    }
  }

  /// Warns of a failure, unless one was reported since the last cosignature, or the server stops.
  private func warn(_ reason: String) {
    guard !Task.isCancelled, report(reason) == nil else { return }
    Diagnostics.server.note(
      "warning: the witness \(name) does not cosign: \(reason.escapedForTerminal); the server tries again")
  }

  /// Notes a failure, or its end, and returns the previous one.
  private func report(_ fault: String?) -> String? {
    state.withLock { (state) in
      defer { state.fault = fault }
      return state.fault
    }
  }
}
