// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeySystem
internal import PasskeyTransparencyLog

/// Follows the audit trail: writes each record to the audit log, and reports the chain's head or the log's checkpoints.
///
/// It reads the chain from the database. The log therefore includes records of the console and of other servers, and
/// records that could not be written stay in the database until the next attempt. The head is reported every 1,000
/// records and every hour, on standard error and in the audit log. It exposes a rollback of the whole database to an
/// older copy, whose seal is valid.
actor AuditFollower {
  let service: AuthService
  private let store: any Storage
  let sink: AuditLogSink?

  /// The number of the last record in the log.
  private var written: Int64?

  /// The head that was reported last, and when.
  private var reported: (head: AuditHead, at: ContinuousClock.Instant)?

  /// Whether the head, or the newest checkpoint, still has to be written to the audit log.
  var mustWriteHead = false

  /// The place of the next record of the log to write, once the trail is a log.
  var next: AuditPlace?

  /// The checkpoint that was written last, and when.
  var reportedCheckpoint: (checkpoint: Checkpoint, at: ContinuousClock.Instant)?

  /// The highest record number seen.
  private var seen: Int64 = 0

  private var fault: String?

  /// The fault of the log that was reported, until it ends.
  private(set) var logFault: String?

  /// Whether records are being written. An actor is reentrant at each suspension point.
  private var isBusy = false

  /// The calls that wait for the end of a pass.
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private nonisolated let failing = Locked(false)

  private static let headInterval = Duration.seconds(3_600)
  private static let headCount: Int64 = 1_000
  static let pageLength = 500

  init(_ service: AuthService, _ store: any Storage, sink: AuditLogSink?) {
    self.service = service
    self.store = store
    self.sink = sink
  }

  /// Whether the last write to the audit log failed.
  nonisolated var isFailing: Bool { failing.withLock { $0 } }

  /// Reopens the log, for example after a rotation.
  nonisolated func reopen() {
    guard let sink else { return }
    do throws(SystemError) {
      try sink.reopen()
      Diagnostics.server.note("reopened the audit log")
    } catch {
      Diagnostics.server.note("cannot reopen the audit log: \(error.message.lowercased())")
    }
    Task { await self.repeatHead() }
  }

  /// Makes the next pass report the head, so that a new file contains it.
  private func repeatHead() {
    reported = nil
    mustWriteHead = true
  }

  /// Follows the chain until the task is cancelled.
  func run() async {
    while !Task.isCancelled {
      await follow()
      try? await Task.sleep(for: .seconds(1))
    }
  }

  /// Writes new records to the log, unless a pass is already in progress.
  func follow() async {
    guard !isBusy else { return }
    isBusy = true
    defer {
      isBusy = false
      for continuation in waiting { continuation.resume() }
      waiting = []
    }
    // The store monitor reports a store that does not respond.
    guard let end = try? await store.auditEnd() else { return }
    checkAuthenticity(of: end)
    await writeRecords(to: end.head)
    do throws(ServiceError) {
      guard let (log, checkpoint) = try await service.auditLog() else { return await reportHead(end.head) }
      // The records of the chain come first.
      if sink == nil || written == end.head.sequence { await follow(log, checkpoint) }
    } catch {
      return
    }
  }

  /// Writes the remaining records and reports the head when the server stops. Waits for a pass in progress.
  func finish() async {
    while isBusy { await withCheckedContinuation { (continuation) in waiting.append(continuation) } }
    repeatHead()
    await follow()
  }

  /// Warns once if the head was not written by this server or another one with its secret.
  private func checkAuthenticity(of end: AuditEnd) {
    var fault: String?
    do throws(ServiceError) {
      try service.verifyAuditEnd(end)
      if end.head.sequence < seen {
        fault = "the newest known record was \(seen), and the trail now ends at \(end.head.sequence)"
      }
    } catch {
      fault = error.description
    }
    seen = max(seen, end.head.sequence)
    warn(fault)
  }

  /// Warns once about a fault of the trail; nil ends it.
  private func warn(_ fault: String?) {
    if let fault, self.fault == nil {
      Diagnostics.server.note("warning: the audit trail is not authentic: \(fault.escapedForTerminal)")
    }
    self.fault = fault
  }

  /// Warns once about a fault of the log.
  func warnOfLog(_ fault: String?) {
    if let fault, logFault == nil {
      Diagnostics.server.note("warning: the transparency log is not authentic: \(fault.escapedForTerminal)")
    }
    logFault = fault
  }

  private func writeRecords(to head: AuditHead) async {
    guard sink != nil else { return }
    if written == nil { written = await start(at: head) }
    while let last = written, last < head.sequence {
      guard let page = try? await service.auditEntries(after: last, limit: Self.pageLength) else { return }
      // Records of a log follow in the order of their places.
      let entries = page.filter { $0.record.id == nil }
      guard !entries.isEmpty else { return }
      let count = await write(entries.map { AuditJSON.logLine($0.record) })
      if count > 0 { written = entries[min(count, entries.count) - 1].record.sequence }
      // After a partial write, retry at once: the retry reports the error.
      guard count > 0 else { return }
    }
  }

  /// Returns the number after which the log continues: the last number in the file, 0 for an empty file, or the chain's
  /// current head for a target that is not a file.
  private func start(at head: AuditHead) async -> Int64? {
    guard let sink, case .file = sink.target else { return head.sequence }
    do throws(SystemError) {
      let last = try await SystemThread.run { () throws(SystemError) in try sink.lastNumber() } ?? nil
      return min(last ?? 0, head.sequence)
    } catch {
      report(error)
      return nil
    }
  }

  /// Reports the head if it is due. The audit log gets it after the records that it covers, because a restarted server
  /// continues after the last number in the file.
  private func reportHead(_ head: AuditHead) async {
    if let reported {
      if head.sequence &- reported.head.sequence >= Self.headCount || .now - reported.at >= Self.headInterval {
        Diagnostics.server.note("the audit trail ends at \(head.sequence):\(Hex.encode(head.hash))")
        self.reported = nil
      }
    }
    if reported == nil {
      reported = (head, .now)
      mustWriteHead = sink != nil
    }
    guard mustWriteHead, let written, written >= head.sequence else { return }
    mustWriteHead = await write([AuditJSON.logLine(head, at: Clock.now)]) == 0
  }

  /// Writes lines and returns how many were written.
  func write(_ lines: [[UInt8]]) async -> Int {
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

  func report(_ error: SystemError?) {
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
}
