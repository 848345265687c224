// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import PasskeyService
internal import SystemCrypto
internal import TransparencyLog
internal import WireFormats

/// The background task that appends committed records to the transparency log.
///
/// A trail that is a chain needs no work. If an operator turns it into a log, the server notices within a second.
actor RunningSequencer {
  private let service: AuthService
  private let storage: any Storage
  private let files: AuditLogFiles
  /// Whether this is a server, which keeps checkpoints and should have the key. A command of the console may run as another
  /// user, whose files the server cannot read.
  private let isServer: Bool
  private let witnesses: RunningWitnesses
  private var hasSubmitted = false
  private var sequencer: AuditSequencer?
  private var fault: String?

  init(_ store: OpenStore, secretPath: String, witnesses: [AuditWitness] = [], isServer: Bool = true) {
    service = store.service
    self.witnesses = RunningWitnesses(witnesses, store.storage)
    storage = store.storage
    files = AuditLogFiles(secretPath: secretPath)
    self.isServer = isServer
  }

  /// Sequences until the task is cancelled: every 250 ms while records arrive, and every second otherwise.
  func run() async {
    while !Task.isCancelled {
      let isBusy = await sequence()
      try? await Task.sleep(for: isBusy ? Self.busyPause : Self.idlePause)
    }
  }

  /// Appends all waiting records, and stops sending checkpoints to witnesses.
  func finish() async {
    await sequence()
    await witnesses.stop()
  }

  /// Appends all waiting records. Returns whether there were any.
  @discardableResult
  func sequence() async -> Bool {
    var count = 0
    do throws(ServiceError) {
      guard let sequencer = try await opened(), try await mayGrow() else { return false }
      while let pass = try await sequencer.sequence(at: Clock.now) {
        count += pass.count
        // The last checkpoint of an earlier process may have no cosignature.
        if pass.count > 0 || !hasSubmitted { witnesses.submit(pass.note) }
        hasSubmitted = true
        guard pass.isFull else { break }
      }
      fault = nil
    } catch {
      report(error)
    }
    return count > 0
  }

  /// Whether no witness contradicts the log.
  private func mayGrow() async throws(ServiceError) -> Bool {
    guard let origin = witnesses.contradictedOrigin else { return true }
    return try await service.auditLog()?.log.origin != origin
  }

  /// Returns the sequencer if the trail is a log and the key is here.
  private func opened() async throws(ServiceError) -> AuditSequencer? {
    if let sequencer { return sequencer }
    guard let log = try await service.auditLog()?.log else {
      reportLostLog()
      return nil
    }
    do throws(CommandFailure) {
      if let fault = try AuditKeyFault(files, of: log) {
        if isServer || fault == .differs { report(fault.description(files)) }
        return nil
      }
      guard let key = try files.signingKey() else { return nil }
      let keeper: any CheckpointKeeper = isServer ? files : UnsavedCheckpoint(files: files)
      let made = AuditSequencer(
        storage, key: key, keeper: keeper, destinations: service.policy.destinations.names(wanting: .auditCheckpoint))
      sequencer = made
      return made
    } catch {
      report(error.message)
      return nil
    }
  }

  /// Reports a chain in the place of the log that this server has seen: an older copy of the database.
  private func reportLostLog() {
    guard let bytes = try? files.load(), let note = try? SignedNote(parsing: bytes),
      let known = try? Checkpoint(parsing: note.text)
    else { return }
    report(
      """
      the audit trail is a chain, and this server has seen \(known.size) records of the transparency log \
      \(known.origin.escapedForTerminal): is the database an older copy?
      """)
  }

  private func report(_ error: ServiceError) {
    switch error.code {
    // The store monitor reports a store that does not respond.
    case .storageUnavailable, .storageContended: return
    // A new log has another key: read the file again.
    case .auditKeyMismatch: sequencer = nil
    case .auditCheckpointUnreadable:
      return report(
        """
        the transparency log does not grow: \(error.description.escapedForTerminal): verify the log with a checkpoint that \
        you kept elsewhere, then delete \(files.checkpointPath.quotedForTerminal)
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
  let files: AuditLogFiles

  func load() throws(StorageError) -> Bytes? { try files.load() }

  func save(_ note: Bytes) {}
}
