// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import PasskeyService
internal import SystemCrypto
internal import SystemIO
internal import WireFormats

/// Follows the audit trail: writes each record to the audit log, and tells the trail's end now and then.
///
/// It reads the trail from the database, so records of the console and of other servers are in the log too, and what could
/// not be written waits there. The end is told with every 1,000 records and every hour, on standard error and in the audit
/// log: an older copy of the whole database, which has a seal that fits, is found by it.
actor AuditFollower {
  private let service: AuthService
  private let store: any Storage
  private let sink: AuditLogSink?

  /// The last record that is in the log.
  private var written: Int64?

  /// The end that was told last, and when.
  private var told: (head: AuditHead, at: ContinuousClock.Instant)?

  /// Whether the audit log has still to get the end.
  private var owesHead = false

  /// The greatest number that was seen.
  private var seen: Int64 = 0

  private var doubt: String?

  /// Whether a pass over the trail is under way: an actor lets others in wherever it waits.
  private var isBusy = false
  private nonisolated let failing = Locked(false)

  private static let headInterval = Duration.seconds(3_600)
  private static let headCount: Int64 = 1_000
  private static let pageLength = 500

  init(_ service: AuthService, _ store: any Storage, sink: AuditLogSink?) {
    self.service = service
    self.store = store
    self.sink = sink
  }

  /// Whether the audit log could not be written when that was tried last.
  nonisolated var isFailing: Bool { failing.withLock { $0 } }

  /// Opens the log anew, as after a rotation.
  nonisolated func reopen() {
    guard let sink else { return }
    do throws(SystemError) {
      try sink.reopen()
      Diagnostics.server.note("the audit log is open anew")
    } catch {
      Diagnostics.server.note("the audit log cannot be opened anew: \(error.message.lowercased())")
    }
    Task { await self.rotated() }
  }

  /// Has the next pass tell the end, which is the first that a new file says besides records.
  private func rotated() {
    told = nil
  }

  /// Follows until the task is cancelled.
  func run() async {
    while !Task.isCancelled {
      await follow()
      try? await Task.sleep(for: .seconds(1))
    }
  }

  /// Catches up with the trail, unless that is under way.
  func follow() async {
    guard !isBusy else { return }
    isBusy = true
    defer { isBusy = false }
    // A store that does not answer is told of elsewhere.
    guard let end = try? await store.auditEnd() else { return }
    judge(end)
    await writeRecords(to: end.head)
    await tell(end.head)
  }

  /// Catches up with the trail and tells its end, when the server stops. It waits for a pass that is under way.
  func finish() async {
    while isBusy { try? await Task.sleep(for: .milliseconds(10)) }
    told = nil
    await follow()
  }

  /// Tells once where the end is not what this server or another with its secret wrote.
  private func judge(_ end: AuditEnd) {
    var doubt: String?
    do throws(ServiceError) {
      try service.verifyAuditEnd(end)
      if end.head.sequence < seen { doubt = "records up to \(seen) were there, and it ends at \(end.head.sequence)" }
    } catch {
      doubt = error.description
    }
    seen = max(seen, end.head.sequence)
    if let doubt, self.doubt == nil {
      Diagnostics.server.note("warning: the audit trail is not authentic: \(doubt.escapedForTerminal)")
    }
    self.doubt = doubt
  }

  private func writeRecords(to head: AuditHead) async {
    guard sink != nil else { return }
    if written == nil { written = await start(at: head) }
    while let last = written, last < head.sequence {
      guard let entries = try? await service.auditEntries(after: last, limit: Self.pageLength), !entries.isEmpty else {
        return
      }
      let count = await write(entries.map { AuditJSON.logLine($0.record) })
      if count > 0 { written = entries[min(count, entries.count) - 1].record.sequence }
      // Where a part went out, the rest is tried at once: what keeps it back is told then.
      guard count > 0 else { return }
    }
  }

  /// Where the log goes on: behind the last number in its file, from the first record in a file without one, and from now on
  /// where it is no file.
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

  /// Tells the end if that is due. The audit log gets it behind the records that it covers: a server that starts again
  /// goes on behind the last number in the file.
  private func tell(_ head: AuditHead) async {
    if let told {
      if head.sequence - told.head.sequence >= Self.headCount || .now - told.at >= Self.headInterval {
        Diagnostics.server.note("the audit trail ends at \(head.sequence):\(Hex.encode(head.hash))")
        self.told = nil
      }
    }
    if told == nil {
      told = (head, .now)
      owesHead = sink != nil
    }
    guard owesHead, let written, written >= head.sequence else { return }
    owesHead = await write([AuditJSON.logLine(head, at: Clock.now)]) == 0
  }

  /// Writes lines; how many went out.
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
        "warning: the audit log cannot be written: \(error.message.lowercased()); records wait in the database")
    } else if error == nil, wasFailing {
      Diagnostics.server.note("the audit log can be written again")
    }
  }
}
