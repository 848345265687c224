// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

/// The connections that read, each in a thread of its own. In WAL mode they wait for no writer, and none waits for them.
final class SQLiteReaders: Sendable {
  let queue: JobQueue<PendingRead>

  private static let waitingLimit = 16_384

  /// More reads in one transaction gain little, and those behind a long one wait for it.
  private static let batchLimit = 16

  init(_ connections: [SQLiteConnection]) throws(StorageError) {
    let queue = JobQueue<PendingRead>(limit: Self.waitingLimit)
    self.queue = queue
    for handover in connections.map({ (connection) in Handover(connection) }) {
      let started = queue.startWorker {
        guard let connection = handover.take() else { return }
        while let reads = queue.take(atMost: Self.batchLimit) { Self.perform(reads, on: connection) }
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

  /// What waits is read in one transaction, each from a snapshot that is younger than its question: the connection forgets
  /// what it has in memory where somebody has written since its last one.
  private static func perform(_ reads: [PendingRead], on connection: SQLiteConnection) {
    var rest = reads[...]
    do throws(StorageError) {
      _ = try connection.rows("BEGIN")
      let transaction = SQLiteTransaction(connection)
      while let read = rest.first {
        do throws(StorageError) {
          try read.run(transaction)
          rest = rest.dropFirst()
          read.succeed()
        } catch {
          rest = rest.dropFirst()
          read.fail(error)
          guard connection.isInTransaction else { throw error }
        }
      }
      _ = try connection.rows("COMMIT")
    } catch {
      if connection.isInTransaction { _ = try? connection.rows("ROLLBACK") }
      rest.forEach { (read) in read.fail(error) }
    }
  }
}
