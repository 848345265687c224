// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeySystem
internal import PasskeyTransparencyLog

extension AuditFollower {
  /// A fault of the log, for the operator.
  private struct LogFault: Error {
    let description: String
  }

  /// Follows the log: writes its records in the order of their places, and its checkpoints. Warns once if the log is not
  /// authentic or lacks a record.
  func follow(_ log: AuditLog, _ stored: StoredCheckpoint) async {
    do throws(LogFault) {
      let checkpoint = try authenticCheckpoint(stored, log)
      if sink != nil {
        if next == nil { next = await start(at: stored, log) }
        guard try await writeLeaves() else { return warnOfLog(nil) }
      }
      await report(checkpoint, note: stored)
      warnOfLog(nil)
    } catch {
      warnOfLog(error.description)
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

  /// Returns the place after the last record in the file, or the end of the log for a target that is not a file.
  private func start(at newest: StoredCheckpoint, _ log: AuditLog) async -> AuditPlace? {
    let end = AuditPlace(epoch: newest.epoch, position: newest.size)
    guard let sink, case .file = sink.target else { return end }
    do throws(SystemError) {
      let last = try await SystemThread.run { () throws(SystemError) in try sink.lastNumber() } ?? nil
      guard let last, last > log.after else { return AuditPlace(epoch: 1, position: 0) }
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

  /// Writes the checkpoint to the audit log, at most every 10 seconds, after the records that it covers.
  private func report(_ checkpoint: Checkpoint, note: StoredCheckpoint) async {
    if let last = reportedCheckpoint, !mustWriteHead {
      guard last.checkpoint != checkpoint, .now - last.at >= Self.checkpointInterval else { return }
    }
    if sink != nil {
      guard let next, next.epoch == note.epoch, next.position >= note.size, let number = await lastNumber(before: next),
        await write([AuditJSON.logLine(checkpointNote: note.note, after: number, at: Clock.now)]) == 1
      else { return }
    }
    reportedCheckpoint = (checkpoint, .now)
    mustWriteHead = false
  }

  /// Returns the number of the record before a place; nil if the store fails.
  private func lastNumber(before place: AuditPlace) async -> Int64? {
    guard place.position > 0 else { return nil }
    let last = AuditPlace(epoch: place.epoch, position: place.position - 1)
    return try? await service.auditLeaves(from: last, limit: 1).leaves.first?.number
  }

  private static let checkpointInterval = Duration.seconds(10)
}
