// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import PasskeyService
internal import SystemIO
internal import TransparencyLog
internal import WireFormats

extension AuditFollower {
  /// Follows the log: writes its records in the order of their places, and its checkpoints.
  func follow(_ log: AuditLog, _ stored: StoredCheckpoint) async {
    guard let checkpoint = checkAuthenticity(of: stored, log) else { return }
    if sink != nil {
      if next == nil { next = await start(at: stored, log) }
      while let place = next {
        guard let (leaves, following) = try? await service.auditLeaves(from: place, limit: Self.pageLength) else {
          return
        }
        guard !leaves.isEmpty else {
          guard following != place else { break }
          next = following
          continue
        }
        var lines: [[UInt8]] = []
        for leaf in leaves {
          guard let encoded = leaf.encoded, let record = try? AuditRecord(parsing: encoded, number: leaf.number) else {
            break
          }
          lines.append(AuditJSON.logLine(record))
        }
        let count = await write(lines)
        // After a partial write, retry at once: the retry reports the error.
        guard count > 0 else { return }
        next = AuditPlace(epoch: place.epoch, position: place.position + UInt64(min(count, leaves.count)))
      }
    }
    await report(checkpoint, note: stored)
  }

  /// Returns the checkpoint if the key of the log signed it and the log has not shrunk. Warns once otherwise.
  private func checkAuthenticity(of stored: StoredCheckpoint, _ log: AuditLog) -> Checkpoint? {
    do throws(TransparencyLogError) {
      let policy = LogPolicy(logs: [try NoteKey(log.verifier)])
      let checkpoint = try policy.verify(SignedNote(parsing: stored.note)).checkpoint
      if let last = reportedCheckpoint?.checkpoint, last.origin == checkpoint.origin {
        guard checkpoint.size > last.size || checkpoint == last else {
          warnOfLog("it had \(last.size) records, and now has \(checkpoint.size)")
          return nil
        }
      }
      warnOfLog(nil)
      return checkpoint
    } catch {
      warnOfLog("\(error)")
      return nil
    }
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
    let line = AuditJSON.logLine(checkpointNote: note.note, at: Clock.now)
    if sink != nil {
      guard let next, next.epoch == note.epoch, next.position >= note.size, await write([line]) == 1 else { return }
    }
    reportedCheckpoint = (checkpoint, .now)
    mustWriteHead = false
  }

  private static let checkpointInterval = Duration.seconds(10)
}
