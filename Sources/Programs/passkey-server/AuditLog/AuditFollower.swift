// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeySystem
internal import PasskeyTransparencyLog

/// Follows the transparency log: writes its records in the order of their places, and its checkpoints, to the audit log.
///
/// It reads the database. The audit log therefore includes records of the console and of other servers, and records that
/// could not be written stay in the database until the next attempt. A checkpoint exposes a rollback of the whole database to
/// an older copy.
actor AuditFollower {
  /// A fault of the log, for the operator.
  private struct LogFault: Error {
    let description: String
  }

  private let service: AuthService
  private let sink: AuditLogSink?

  /// Whether the newest checkpoint still has to be written to the audit log.
  private var mustWriteCheckpoint = false

  /// The place of the next record to write, once it is known.
  private var next: AuditPlace?

  /// The checkpoint that was written last, and when.
  private var reportedCheckpoint: (checkpoint: Checkpoint, at: ContinuousClock.Instant)?

  /// The fault of the log that was reported, until it ends.
  private(set) var logFault: String?

  /// Whether records are being written. An actor is reentrant at each suspension point.
  private var isBusy = false

  /// The calls that wait for the end of a pass.
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private nonisolated let failing = Locked(false)

  private static let checkpointInterval = Duration.seconds(10)
  private static let pageLength = 500

  init(_ service: AuthService, sink: AuditLogSink?) {
    self.service = service
    self.sink = sink
  }

  /// Whether the last write to the audit log failed.
  nonisolated var isFailing: Bool { failing.withLock { $0 } }

  /// Reopens the audit log, for example after a rotation.
  nonisolated func reopen() {
    guard let sink else { return }
    do throws(SystemError) {
      try sink.reopen()
      Diagnostics.server.note("reopened the audit log")
    } catch {
      Diagnostics.server.note("cannot reopen the audit log: \(error.message.lowercased())")
    }
    Task { await self.repeatCheckpoint() }
  }

  /// Makes the next pass write the checkpoint, so that a new file contains it.
  private func repeatCheckpoint() { mustWriteCheckpoint = true }

  /// Follows the log until the task is cancelled.
  func run() async {
    while !Task.isCancelled {
      await follow()
      try? await Task.sleep(for: .seconds(1))
    }
  }

  /// Writes new records to the audit log, unless a pass is already in progress. Warns once if the log is not authentic or
  /// lacks a record.
  func follow() async {
    guard !isBusy else { return }
    isBusy = true
    defer {
      isBusy = false
      for continuation in waiting { continuation.resume() }
      waiting = []
    }
    // The store monitor reports a store that does not respond, and the sequencer a store without a log.
    guard let (log, stored) = try? await service.auditLog() else { return }
    do throws(LogFault) {
      let checkpoint = try authenticCheckpoint(stored, log)
      if sink != nil {
        if next == nil { next = await start(at: stored) }
        guard try await writeLeaves() else { return warn(nil) }
      }
      await report(checkpoint, note: stored)
      warn(nil)
    } catch {
      warn(error.description)
    }
  }

  /// Writes the remaining records and the checkpoint when the server stops. Waits for a pass in progress.
  func finish() async {
    while isBusy { await withCheckedContinuation { (continuation) in waiting.append(continuation) } }
    repeatCheckpoint()
    await follow()
  }

  /// Warns once about a fault of the log; nil ends it.
  private func warn(_ fault: String?) {
    if let fault, logFault == nil {
      Diagnostics.server.note("warning: the transparency log is not authentic: \(fault.escapedForTerminal)")
    }
    logFault = fault
  }

  // MARK: Records

  /// Returns the place after the last record in the file, or the end of the log for a target that is not a file.
  private func start(at newest: StoredCheckpoint) async -> AuditPlace? {
    let end = AuditPlace(epoch: newest.epoch, position: newest.size)
    guard let sink, case .file = sink.target else { return end }
    do throws(SystemError) {
      let last = try await SystemThread.run { () throws(SystemError) in try sink.lastNumber() } ?? nil
      guard let last else { return AuditPlace(epoch: 1, position: 0) }
      do throws(ServiceError) {
        guard let place = try await service.auditPlace(of: last) else { return end }
        return AuditPlace(epoch: place.epoch, position: place.position + 1)
      } catch {
        // The next pass reads it again.
        return nil
      }
    } catch {
      report(error)
      return nil
    }
  }

  /// Writes the records from the next place on. Returns false if some are left.
  private func writeLeaves() async throws(LogFault) -> Bool {
    while let place = next {
      guard let (leaves, following) = try? await service.auditLeaves(from: place, limit: Self.pageLength) else {
        return false
      }
      guard !leaves.isEmpty else {
        guard following != place else { return true }
        next = following
        continue
      }
      let (lines, fault) = lines(of: leaves, from: place.position)
      if !lines.isEmpty {
        let count = await write(lines)
        // After a partial write, retry at once: the retry reports the error.
        guard count > 0 else { return false }
        next = AuditPlace(epoch: place.epoch, position: place.position + UInt64(min(count, lines.count)))
        guard count >= lines.count else { continue }
      }
      if let fault { throw fault }
    }
    return false
  }

  /// Returns the lines of the records up to the first one that is missing or malformed, and that fault.
  private func lines(of leaves: [StoredLeaf], from start: UInt64) -> ([[UInt8]], LogFault?) {
    var lines: [[UInt8]] = []
    for leaf in leaves {
      let position = start + UInt64(lines.count)
      guard leaf.position == position, let encoded = leaf.encoded,
        let record = try? AuditRecord(parsing: encoded, number: leaf.number)
      else {
        let hint = "run passkey-server audit verify; the audit log waits for it"
        return (lines, LogFault(description: "it has no record at position \(position): \(hint)"))
      }
      lines.append(AuditJSON.logLine(record))
    }
    return (lines, nil)
  }

  /// Writes lines and returns how many were written.
  private func write(_ lines: [[UInt8]]) async -> Int {
    guard let sink else { return 0 }
    do throws(SystemError) {
      let count = try await SystemThread.run { () throws(SystemError) in try sink.write(lines) } ?? 0
      if count == lines.count { report(nil) }
      return count
    } catch {
      report(error)
      return 0
    }
  }

  private func report(_ error: SystemError?) {
    let wasFailing = failing.withLock { (failing) in
      defer { failing = error != nil }
      return failing
    }
    if let error, !wasFailing {
      Diagnostics.server.note(
        "warning: the audit log cannot be written: \(error.message.lowercased()); records stay queued in the database")
    } else if error == nil, wasFailing {
      Diagnostics.server.note("the audit log can be written again")
    }
  }

  // MARK: Checkpoints

  /// Returns the checkpoint if the key of the log signed it and the log has not shrunk.
  private func authenticCheckpoint(_ stored: StoredCheckpoint, _ log: AuditLog) throws(LogFault) -> Checkpoint {
    let checkpoint: Checkpoint
    do throws(TransparencyLogError) {
      let policy = LogPolicy(logs: [try NoteKey(log.verifier)])
      checkpoint = try policy.verify(SignedNote(parsing: stored.note)).checkpoint
    } catch {
      throw LogFault(description: "\(error)")
    }
    if let last = reportedCheckpoint?.checkpoint, last.origin == checkpoint.origin {
      guard checkpoint.size > last.size || checkpoint == last else {
        throw LogFault(description: "it had \(last.size) records, and now has \(checkpoint.size)")
      }
    }
    return checkpoint
  }

  /// Writes the checkpoint to the audit log, at most every 10 seconds, after the records that it covers.
  private func report(_ checkpoint: Checkpoint, note: StoredCheckpoint) async {
    if let last = reportedCheckpoint, !mustWriteCheckpoint {
      guard last.checkpoint != checkpoint, .now - last.at >= Self.checkpointInterval else { return }
    }
    if sink != nil {
      guard let next, next.epoch == note.epoch, next.position >= note.size, let number = await lastNumber(before: next),
        await write([AuditJSON.logLine(checkpointNote: note.note, after: number, at: Clock.now)]) == 1
      else { return }
    }
    reportedCheckpoint = (checkpoint, .now)
    mustWriteCheckpoint = false
  }

  /// Returns the number of the record before a place; nil if the store fails.
  private func lastNumber(before place: AuditPlace) async -> Int64? {
    guard place.position > 0 else { return nil }
    let last = AuditPlace(epoch: place.epoch, position: place.position - 1)
    return try? await service.auditLeaves(from: last, limit: 1).leaves.first?.number
  }
}
