// SPDX-License-Identifier: Apache-2.0

internal import PasskeyStorage

/// The read connections, each with its own thread. A failed read is retried if a retry may succeed.
final class PostgreSQLReaders: Sendable {
  let queue: JobQueue<PendingRead>

  private static let waitingLimit = 16_384

  init(_ configuration: PostgreSQLConfiguration) throws(StorageError) {
    let queue = JobQueue<PendingRead>(limit: Self.waitingLimit)
    let backOff = PostgreSQLBackOff()
    self.queue = queue
    for _ in 0..<max(1, configuration.readerCount) {
      let handover = Handover(PostgreSQLReconnector(configuration, backOff))
      let started = queue.startWorker {
        guard let reconnector = handover.take() else { return }
        while let reads = queue.take(atMost: 1) {
          reads.forEach { (read) in
            Self.perform(read, over: reconnector, until: .now + configuration.reconnectTimeout)
          }
        }
      }
      guard started else {
        queue.close()
        throw StorageError(.unavailable, "the system cannot create another thread")
      }
    }
  }

  /// The threads finish the queued reads and exit.
  deinit {
    queue.close()
  }

  private static func perform(
    _ read: PendingRead, over reconnector: PostgreSQLReconnector, until deadline: ContinuousClock.Instant
  ) {
    while true {
      var failure: PostgreSQLFailure?
      do throws(PostgreSQLFailure) {
        let connection = try reconnector.connected(until: deadline)
        let transaction = PostgreSQLTransaction(connection)
        do throws(StorageError) {
          try read.run(transaction)
          return read.succeed()
        } catch {
          failure = transaction.failure
          // The body itself threw: the rows are not valid.
          guard failure != nil else { return read.fail(error) }
        }
      } catch {
        failure = error
      }
      guard let failure else { return }
      reconnector.recover(from: failure)
      guard failure.remedy != .none, ContinuousClock.now < deadline else { return read.fail(failure.error) }
    }
  }
}
