// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeyTransparencyLog

/// The background task that appends committed records to the transparency log.
actor RunningSequencer {
  private let service: AuthService
  private let file: AuditCheckpointFile
  private let sequencer: AuditSequencer
  private let witnesses: RunningWitnesses
  /// The checkpoint that the witnesses got last.
  private var submitted: SignedNote?
  private var hasFoundLog = false
  private var fault: String?
  private var hasForgottenCeremonies = false

  /// Creates the task. Only a server keeps checkpoints: a command of the console may run as another user, whose files the server
  /// cannot read.
  init(_ store: OpenStore, secretPath: String, _ witnesses: RunningWitnesses, isServer: Bool = true) {
    service = store.service
    self.witnesses = witnesses
    file = AuditCheckpointFile(secretPath: secretPath)
    sequencer = service.auditSequencer(keeper: isServer ? file : UnsavedCheckpoint(file: file))
  }

  /// Sequences until the task is cancelled: every 250 ms while records arrive or the witnesses have not answered yet, and
  /// every second otherwise.
  func run() async {
    while !Task.isCancelled {
      let isBusy = await sequence()
      try? await Task.sleep(for: isBusy ? Self.busyPause : Self.idlePause)
    }
  }

  /// Appends all waiting records, unless the witnesses have not answered yet, and stops sending checkpoints to them.
  func finish() async {
    await sequence()
    await witnesses.stop()
  }

  /// Appends all waiting records. Returns whether the next call should follow soon: there were some, or the witnesses have not
  /// answered yet.
  @discardableResult
  func sequence() async -> Bool {
    var count = 0
    do throws(ServiceError) {
      guard try await hasLog() else { return false }
      guard try await haveWitnessesAnswered() else { return true }
      guard try await mayGrow() else { return false }
      var keepingFault: StorageError?
      while let pass = try await sequencer.sequence(at: Clock.now) {
        count += pass.count
        keepingFault = pass.keepingFault
        // The last checkpoint of another process may have no cosignature.
        submit(pass.note)
        guard pass.isFull else { break }
      }
      if let keepingFault {
        let reason = "\(keepingFault)".escapedForTerminal
        report("the transparency log grows, but its last checkpoint is not kept here: \(reason)")
      } else {
        (fault, hasForgottenCeremonies) = (nil, false)
      }
    } catch {
      report(error)
      // The older copy does not know which ceremonies were finished after it was made.
      if error.code == .auditRolledBack, !hasForgottenCeremonies {
        hasForgottenCeremonies = (try? await service.forgetCeremonies(at: Clock.now)) != nil
      }
    }
    return count > 0
  }

  /// Submits a checkpoint to the witnesses, unless they got it last. Signatures make no difference.
  private func submit(_ note: SignedNote) {
    guard note.text != submitted?.text else { return }
    witnesses.submit(note)
    submitted = note
  }

  /// Asks the witnesses about the newest checkpoint before the first pass, because the database may be an older copy. Returns
  /// whether they have answered.
  private func haveWitnessesAnswered() async throws(ServiceError) -> Bool {
    guard !witnesses.haveAnswered else { return true }
    if submitted == nil, let (log, checkpoint) = try await service.auditLog() {
      // A pass reports an invalid checkpoint.
      guard let note = try? SignedNote(parsing: checkpoint.note),
        (try? note.verify(with: [NoteKey(log.verifier)])) != nil
      else { return true }
      await keepFirst(note)
      submit(note)
    }
    return witnesses.haveAnswered
  }

  /// Keeps a checkpoint if this server has kept none: `audit begin --after-restore` needs one, also if no pass follows.
  private func keepFirst(_ note: SignedNote) async {
    // A pass reports a file that cannot be used.
    do { if try file.load() == nil { try await file.save(note.bytes) } } catch {}
  }

  /// Whether no witness contradicts the log.
  private func mayGrow() async throws(ServiceError) -> Bool {
    guard witnesses.haveContradicted, let log = try await service.auditLog()?.log else { return true }
    return !witnesses.contradicts(log.origin)
  }

  /// Whether the store has a log. A new one has; reports a store that has lost it.
  private func hasLog() async throws(ServiceError) -> Bool {
    if hasFoundLog { return true }
    hasFoundLog = try await service.auditLog() != nil
    if !hasFoundLog {
      report("the database has no transparency log: restore a backup; if it never had one, run audit begin")
    }
    return hasFoundLog
  }

  private func report(_ error: ServiceError) {
    switch error.code {
    // The store monitor reports a store that does not respond.
    case .storageUnavailable, .storageContended: return
    case .auditRolledBack:
      return report(
        """
        the transparency log does not grow: \(error.description.escapedForTerminal); if an older copy was restored, run \
        passkey-server audit begin --after-restore; if another database uses this secret, give each its own (\
        \(Setting.secret.option))
        """)
    case .auditCheckpointUnreadable:
      return report(
        """
        the transparency log does not grow: \(error.description.escapedForTerminal): verify the log with a checkpoint that \
        you kept elsewhere, then delete \(file.path.quotedForTerminal)
        """)
    default: break
    }
    report("the transparency log: \(error.description.escapedForTerminal)")
  }

  /// Warns once about each fault.
  private func report(_ fault: String) {
    if self.fault != fault { Diagnostics.server.note("warning: \(fault)") }
    self.fault = fault
  }

  private static let busyPause = Duration.milliseconds(250)
  private static let idlePause = Duration.seconds(1)
}

/// The kept checkpoint for a command of the console, which compares it and does not replace it.
private struct UnsavedCheckpoint: CheckpointKeeper {
  let file: AuditCheckpointFile

  func load() throws(StorageError) -> [UInt8]? { try file.load() }

  func save(_ note: [UInt8]) {}
}
