// SPDX-License-Identifier: Apache-2.0

internal import PasskeySystem
internal import PasskeyStorage

/// The write-ahead log of the writer. One thread fsyncs it, another checkpoints it.
///
/// With `synchronous = FULL`, SQLite fsyncs at every commit while all later writes wait. The writer therefore uses
/// `NORMAL`, which still keeps the file consistent, and this type fsyncs the log off the commit path. One fsync covers
/// all commits made before it began, and none of them is acknowledged before it ends and the files are as SQLite left them.
final class SQLiteWriteAheadLog: Sendable {
  private let file: OpenFile
  let files: SQLiteFileGuard
  private let writers: JobQueue<PendingWrite>
  private let waiting = JobQueue<PendingWrite>(limit: .max)
  private let checkpoints = JobQueue<Void>(limit: 1)
  private let progress = Locked(CheckpointProgress())

  // 16 writes  [sharing the fsync, each costs little more than half of a single one; larger batches save little more]
  private static let batchSize = 16

  // 2 ms  [a faster disk would fsync for every few writes, and each fsync costs as much CPU as a sign-in; a single
  // write does not wait]
  private static let minimumSyncInterval = Duration.milliseconds(2)

  init(
    of connection: SQLiteConnection, to path: String, checkpointing: SQLiteConnection, writers: JobQueue<PendingWrite>
  ) throws(StorageError) {
    // A write creates the log file, and `synchronous = FULL` makes its directory entry durable.
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
    let files = try SQLiteFileGuard(path, connection, log: file)
    (self.file, self.files, self.writers) = (file, files, writers)
    let handover = Handover(checkpointing)
    let isStarted =
      waiting.startWorker { [waiting, checkpoints] in
        while let writes = waiting.take(atMost: .max) {
          // Later writes cannot be acknowledged until the disk is free again, so batch them.
          writers.setMinimumBatch(Self.batchSize)
          let begun = ContinuousClock.now
          if !Self.syncAndAcknowledge(writes, file, files, writers) { try? checkpoints.add(()) }
          // Several writes in a batch indicate load, so more will follow.
          if writes.count > 1 { SystemThread.sleep(until: begun + Self.minimumSyncInterval) }
          writers.setMinimumBatch(1)
        }
      }
      && checkpoints.startWorker { [checkpoints, progress] in
        guard let connection = handover.take() else { return }
        while checkpoints.take(atMost: 1) != nil {
          if files.look(.samples) == nil {
            // After a failure, a later checkpoint copies the pages.
            _ = try? connection.rows("PRAGMA wal_checkpoint(PASSIVE)")
          } else {
            Self.save(files, on: connection)
          }
          progress.withLock { (progress) in progress.isRunning = false }
        }
        Self.save(files, on: connection)
      }
    guard isStarted else {
      _ = finish()
      throw StorageError(.unavailable, "the system cannot create another thread")
    }
  }

  /// Checkpoints the log, then repeatedly the pages written in the meantime, fewer each time.
  static func checkpointInRounds(on connection: SQLiteConnection) {
    var before: Int64 = 0
    for _ in 0..<CheckpointProgress.maximumRoundCount {
      // On failure the remainder is left for the next checkpoint.
      guard let row = try? connection.rows("PRAGMA wal_checkpoint(PASSIVE)").first, let done = try? row.integer(2),
        done - before > Int64(CheckpointProgress.remainderLimit)
      else { return }
      before = done
    }
  }

  /// Acknowledges a write after the next fsync of the log.
  func acknowledgeAfterSync(_ write: PendingWrite) {
    do throws(JobQueue<PendingWrite>.Refusal) {
      try waiting.add(write)
    } catch {
      write.fail(StorageError(.outcomeUnknown, "the storage was closed"))
    }
  }

  /// Returns false if another program has changed the files.
  private static func syncAndAcknowledge(
    _ writes: [PendingWrite], _ file: OpenFile, _ files: SQLiteFileGuard, _ writers: JobQueue<PendingWrite>
  ) -> Bool {
    do throws(SystemError) {
      try file.synchronizeData()
      guard let fault = files.look(.ends) else {
        writes.forEach { (write) in write.succeed() }
        return true
      }
      writes.forEach { (write) in write.fail(StorageError(.outcomeUnknown, fault.detail)) }
      return false
    } catch {
      // After a failed fsync the kernel may have dropped the dirty pages, so no later write could be trusted.
      writers.close()
      let failure = StorageError(
        .outcomeUnknown, "fsync of the write-ahead log failed: \(error.message); the storage is closed")
      writes.forEach { (write) in write.fail(failure) }
      return true
    }
  }

  /// Copies what the log has to the database file, after another program has changed the files. Later writes are refused.
  private static func save(_ files: SQLiteFileGuard, on connection: SQLiteConnection) {
    guard files.beginSaving() else { return }
    if let row = try? connection.rows("PRAGMA wal_checkpoint(TRUNCATE)").first, (try? row.flag(0)) == false {
      files.endSaving()
    }
  }

  /// Looks at the files thoroughly, and returns what is wrong. Saves what the log has.
  func findFault() -> StorageError? {
    let fault = files.look(.samples)
    if fault != nil { try? checkpoints.add(()) }
    return fault
  }

  /// Copies pages of the log to the file, after a batch of writes: in the background, or here to restart the log.
  func checkpoint(after connection: SQLiteConnection) {
    let pageCount = connection.logPageCount
    switch progress.withLock({ (progress) in progress.next(at: pageCount) }) {
    case .none: break
    case .inBackground: try? checkpoints.add(())
    case .here where files.look(.ends) != nil: break
    case .here: _ = try? connection.rows("PRAGMA wal_checkpoint(PASSIVE)")
    }
  }

  /// Fsyncs the remaining log and stops both threads, blocking the calling thread. Returns whether the log is damaged, so
  /// that nothing of it may be copied.
  func finish() -> Bool {
    waiting.close()
    checkpoints.close()
    waiting.waitForWorkers()
    checkpoints.waitForWorkers()
    return files.close()
  }
}
