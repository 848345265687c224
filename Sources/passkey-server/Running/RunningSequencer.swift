// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import PasskeyService
internal import WireFormats

/// The background task that appends committed records to the transparency log.
///
/// A trail that is a chain needs no work. The task begins when an operator turns it into a log, which the server notices
/// within a second.
actor RunningSequencer {
  private let service: AuthService
  private let storage: any Storage
  private let files: AuditLogFiles
  private let witnesses: RunningWitnesses
  private var hasSubmitted = false
  private var sequencer: AuditSequencer?
  private var fault: String?

  init(_ store: OpenStore, secretPath: String, witnesses: [AuditWitness] = []) {
    service = store.service
    self.witnesses = RunningWitnesses(witnesses, store.storage)
    storage = store.storage
    files = AuditLogFiles(secretPath: secretPath)
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
      // The store monitor reports a store that does not respond.
      if error.code == .storageUnavailable || error.code == .storageContended { return false }
      report("the transparency log does not grow: \(error.description.escapedForTerminal)")
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
    guard try await service.auditLog() != nil else { return nil }
    do throws(CommandFailure) {
      guard let key = try files.signingKey() else {
        report("no \(files.key.path.quotedForTerminal): this server does not sign the transparency log")
        return nil
      }
      let made = AuditSequencer(
        storage, key: key, keeper: files, destinations: service.policy.destinations.names(wanting: .auditCheckpoint))
      sequencer = made
      return made
    } catch {
      report(error.message)
      return nil
    }
  }

  /// Warns once about each fault.
  private func report(_ fault: String) {
    if self.fault != fault { Diagnostics.server.note("warning: \(fault)") }
    self.fault = fault
  }

  private static let busyPause = Duration.milliseconds(250)
  private static let idlePause = Duration.seconds(1)
}
