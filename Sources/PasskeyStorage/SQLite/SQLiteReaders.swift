// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

/// The connections that read, each in a thread of its own. In WAL mode they wait for no writer, and none waits for them.
final class SQLiteReaders: Sendable {
  let queue: JobQueue<PendingRead>

  private static let waitingLimit = 16_384

  init(_ connections: [SQLiteConnection]) throws(StorageError) {
    let queue = JobQueue<PendingRead>(limit: Self.waitingLimit)
    self.queue = queue
    for handover in connections.map({ (connection) in Handover(connection) }) {
      let started = queue.startWorker {
        guard let connection = handover.take() else { return }
        while let reads = queue.take(atMost: 1) {
          reads.forEach { (read) in Self.perform(read, on: connection) }
        }
      }
      guard started else {
        queue.close()
        throw StorageError(.unavailable, "the system has no thread left")
      }
    }
  }

  /// The threads finish what is waiting, and end.
  deinit {
    queue.close()
  }

  /// A transaction costs less than a microsecond: every read is a snapshot.
  private static func perform(_ read: PendingRead, on connection: SQLiteConnection) {
    do throws(StorageError) {
      _ = try connection.rows("BEGIN")
      try read.run(SQLiteTransaction(connection))
      _ = try connection.rows("COMMIT")
      read.succeed()
    } catch {
      if connection.isInTransaction { _ = try? connection.rows("ROLLBACK") }
      read.fail(error)
    }
  }
}
