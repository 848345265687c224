// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import SystemIO

/// The write-ahead log behind the writer: brought to the disk in one thread, and carried over to the file in another.
///
/// SQLite would wait for the disk at each commit (`synchronous = FULL`), with everybody behind it waiting too. Here it is
/// told not to (`NORMAL`), which leaves all that keeps the file whole, and the log is brought to the disk beside it: one
/// wait is enough for all commits that were made before it began, and nobody hears of theirs before it ended.
final class SQLiteLog: Sendable {
  private let file: OpenFile
  private let writers: JobQueue<PendingWrite>
  private let waiting = JobQueue<PendingWrite>(limit: .max)
  private let checkpoints = JobQueue<Void>(limit: 1)
  private let state = Locked(CheckpointState.none)

  private enum CheckpointState {
    case none
    case running
    case done
  }

  // Sixteen writes, of which one costs little more than half of what it costs alone; more would save little more.
  private static let enough = 16

  // A disk that is quicker would be asked for every few writes, and each time costs the processor what a sign-in does. Who
  // comes alone does not wait for it.
  private static let shortestTurn = Duration.milliseconds(4)

  /// The log is carried over when it has so many pages: 48 MiB, some thousand sign-ins. Most of what is written twice in
  /// that time is carried over once.
  private static let pageLimit: Int32 = 12_288

  init(
    of connection: SQLiteConnection, checkpointing: SQLiteConnection, writers: JobQueue<PendingWrite>
  ) throws(StorageError) {
    // The log is made by a write, and its name brought to the disk with it.
    try connection.execute(
      "PRAGMA synchronous = FULL; UPDATE write_check SET count = count + 1; PRAGMA synchronous = NORMAL")
    try connection.execute("PRAGMA journal_size_limit = 67108864")
    connection.keepLog()
    let file: OpenFile
    do throws(SystemError) {
      file = try OpenFile(connection.logPath, .reading)
    } catch {
      throw StorageError(.unavailable, "the write-ahead log cannot be opened: \(error.message)")
    }
    (self.file, self.writers) = (file, writers)
    let handover = Handover(checkpointing)
    let isStarted =
      waiting.startWorker { [waiting] in
        while let writes = waiting.take(atMost: .max) {
          // What is written meanwhile is heard of when the disk is free again: it is better written together.
          writers.holdBack(until: Self.enough)
          let begun = ContinuousClock.now
          Self.bringToDisk(writes, file, writers)
          // Where several were waiting, more are on their way.
          if writes.count > 1 { SystemThread.sleep(until: begun + Self.shortestTurn) }
          writers.holdBack(until: 1)
        }
      }
      && checkpoints.startWorker { [checkpoints, state] in
        guard let connection = handover.take() else { return }
        while checkpoints.take(atMost: 1) != nil {
          Self.carryOver(on: connection)
          state.withLock { (state) in state = .done }
        }
      }
    guard isStarted else {
      finish()
      throw StorageError(.unavailable, "the system has no thread left")
    }
  }

  /// Carries the log over, and then what was written meanwhile, which is less each time: whatever is left is left to the
  /// writer, and everybody waits for that.
  static func carryOver(on connection: SQLiteConnection) {
    var before: Int64 = 0
    for _ in 0..<maximumTurnCount {
      // What it cannot do now, it leaves to the next time.
      guard let row = try? connection.rows("PRAGMA wal_checkpoint(PASSIVE)").first, let done = try? row.integer(2),
        done - before > restLimit
      else { return }
      before = done
    }
  }

  // Some milliseconds of the writer's.
  private static let restLimit: Int64 = 512

  // Where the disk is as slow as those who write, it would never be the last one.
  private static let maximumTurnCount = 5

  /// Ends a write once it is on the disk.
  func bringToDisk(_ write: PendingWrite) {
    do throws(JobQueue<PendingWrite>.Refusal) {
      try waiting.add(write)
    } catch {
      write.fail(StorageError(.outcomeUnknown, "the storage was closed"))
    }
  }

  private static func bringToDisk(
    _ writes: [PendingWrite], _ file: OpenFile, _ writers: JobQueue<PendingWrite>
  ) {
    do throws(SystemError) {
      try file.synchronizeData()
      writes.forEach { (write) in write.succeed() }
    } catch {
      // After a failed fsync the kernel may have dropped the dirty pages, so no later write could be trusted.
      writers.close()
      let failure = StorageError(
        .outcomeUnknown, "fsync of the write-ahead log failed: \(error.message); the storage is closed")
      writes.forEach { (write) in write.fail(failure) }
    }
  }

  /// Has a log that is long carried over, beside the writer. What was written meanwhile the writer carries over itself:
  /// only then is there nothing left in the log, and it begins anew.
  func checkpoint(after connection: SQLiteConnection) {
    let isLong = connection.logPageCount >= Self.pageLimit
    let before = state.withLock { (state) in
      let before = state
      if state == .done { state = .none }
      if state == .none, before == .none, isLong { state = .running }
      return before
    }
    guard isLong else { return }
    switch before {
    case .none: try? checkpoints.add(())
    case .running: break
    case .done: _ = try? connection.rows("PRAGMA wal_checkpoint(PASSIVE)")
    }
  }

  /// Brings the rest to the disk, and waits for it in the caller's thread.
  func finish() {
    waiting.close()
    checkpoints.close()
    waiting.waitForWorkers()
    checkpoints.waitForWorkers()
  }
}
