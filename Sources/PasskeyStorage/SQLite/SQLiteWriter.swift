// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

/// The one connection that writes, and the thread that it belongs to.
///
/// Writes that wait are done together: each in a savepoint of its own, so that one that fails takes nothing of the others
/// with it, and one COMMIT for all of them. The commit goes to the write-ahead log, and another thread brings the log to the
/// disk (``SQLiteLog``), which is what takes time: meanwhile the next writes are done.
final class SQLiteWriter: Sendable {
  let queue: JobQueue<PendingWrite>

  /// More writes in one transaction gain little, and make the first of them wait.
  private static let batchLimit = 128

  /// As many writes wait at most: at the rates of an ordinary disk, some seconds' worth.
  private static let waitingLimit = 16_384

  init(_ connection: SQLiteConnection, checkpointing: SQLiteConnection) throws(StorageError) {
    let queue = JobQueue<PendingWrite>(limit: Self.waitingLimit)
    let log = try SQLiteLog(of: connection, checkpointing: checkpointing, writers: queue)
    self.queue = queue
    let handover = Handover(connection)
    let started = queue.startWorker {
      guard let connection = handover.take() else { return }
      while let writes = queue.take(atMost: Self.batchLimit) {
        Self.perform(writes, on: connection, log)
        log.checkpoint(after: connection)
      }
      log.finish()
    }
    guard started else {
      log.finish()
      throw StorageError(.unavailable, "the system has no thread left")
    }
  }

  /// The threads finish what is waiting, and end.
  deinit {
    queue.close()
  }

  private static func perform(_ writes: [PendingWrite], on connection: SQLiteConnection, _ log: SQLiteLog) {
    var rest = writes[...]
    var written: [PendingWrite] = []
    do throws(StorageError) {
      _ = try connection.rows("BEGIN IMMEDIATE")
      let transaction = SQLiteTransaction(connection)
      while let write = rest.popFirst() {
        do throws(StorageError) {
          try transaction.attempt { () throws(StorageError) in try write.run(transaction) }
          written.append(write)
        } catch {
          write.fail(error)
          // A full disk may end the whole transaction.
          guard connection.isInTransaction else { throw error }
        }
      }
      try transaction.finish()
      _ = try connection.rows("COMMIT")
    } catch {
      if connection.isInTransaction { _ = try? connection.rows("ROLLBACK") }
      (written + rest).forEach { (write) in write.fail(error) }
      return
    }
    for write in written {
      if write.row == nil { log.bringToDisk(write) } else { write.succeed() }
    }
  }
}
