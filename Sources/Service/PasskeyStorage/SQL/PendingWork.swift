// SPDX-License-Identifier: Apache-2.0

/// A body queued for a worker thread, with the continuation that awaits its value.
package protocol PendingWork<Transaction>: AnyObject, Sendable {
  associatedtype Transaction

  /// The order of a write; nil for a read.
  var order: WriteOrder? { get }

  /// The write itself if its statements are known before its transaction begins.
  var closed: ClosedWrite? { get }

  /// Runs the body and stores its value.
  func run(_ transaction: Transaction) throws(StorageError)

  /// Resumes the continuation with the stored value.
  func succeed()

  func fail(_ error: StorageError)
}

extension PendingWork {
  var closed: ClosedWrite? { nil }
}

package typealias PendingWrite = any PendingWork<any SQLWrite>
package typealias PendingRead = any PendingWork<any SQLTransaction>

// Unchecked: one worker thread at a time uses it and resumes the continuation exactly once.
final class PendingBody<Transaction, Value: Sendable>: PendingWork, @unchecked Sendable {
  typealias Body = @Sendable (Transaction) throws(StorageError) -> Value

  let order: WriteOrder?
  private let body: Body
  private let continuation: CheckedContinuation<Result<Value, StorageError>, Never>
  private var value: Value?

  init(
    _ order: WriteOrder?, _ body: @escaping Body,
    _ continuation: CheckedContinuation<Result<Value, StorageError>, Never>
  ) {
    self.order = order
    self.body = body
    self.continuation = continuation
  }

  func run(_ transaction: Transaction) throws(StorageError) {
    value = try body(transaction)
  }

  func succeed() {
    guard let value else { return fail(StorageError(.failed, "the transaction did not run")) }
    continuation.resume(returning: .success(value))
  }

  func fail(_ error: StorageError) {
    continuation.resume(returning: .failure(error))
  }
}

/// A write whose statements are known before its transaction begins. Several of them are sent at once.
// Unchecked: one worker thread at a time uses it and resumes the continuation exactly once.
package final class ClosedWrite: PendingWork, @unchecked Sendable {
  package let order: WriteOrder?
  package let statements: [SQLStatement]
  private let continuation: CheckedContinuation<Result<[[SQLRow]], StorageError>, Never>
  private var answers: [[SQLRow]] = []

  init(
    _ order: WriteOrder, _ statements: [SQLStatement],
    _ continuation: CheckedContinuation<Result<[[SQLRow]], StorageError>, Never>
  ) {
    self.order = order
    self.statements = statements
    self.continuation = continuation
  }

  package var closed: ClosedWrite? { self }

  package func run(_ transaction: any SQLWrite) throws(StorageError) {
    answers = try transaction.batch(statements)
  }

  /// Stores the rows of each statement.
  package func accept(_ answers: some Sequence<[SQLRow]>) {
    self.answers = Array(answers)
  }

  package func succeed() {
    continuation.resume(returning: .success(answers))
  }

  package func fail(_ error: StorageError) {
    continuation.resume(returning: .failure(error))
  }
}

extension JobQueue {
  /// Queues a body and awaits its value without blocking a thread.
  package func perform<Transaction, Value: Sendable>(
    order: WriteOrder? = nil, _ body: @escaping @Sendable (Transaction) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value where Job == any PendingWork<Transaction> {
    try await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, StorageError>, Never>) in
      enqueue(PendingBody(order, body, continuation))
    }.get()
  }

  /// Queues a job, or fails it if the queue is closed or full.
  private func enqueue<Transaction>(_ work: any PendingWork<Transaction>) where Job == any PendingWork<Transaction> {
    do throws(Refusal) {
      try add(work)
    } catch {
      work.fail(
        StorageError(.unavailable, error == .closed ? "the storage is closed" : "too many transactions are queued"))
    }
  }
}

extension JobQueue<PendingWrite> {
  /// Queues statements and awaits the rows of each without blocking a thread.
  package func perform(_ order: WriteOrder, closed statements: [SQLStatement]) async throws(StorageError) -> [[SQLRow]]
  {
    try await withCheckedContinuation { (continuation: CheckedContinuation<Result<[[SQLRow]], StorageError>, Never>) in
      enqueue(ClosedWrite(order, statements, continuation))
    }.get()
  }
}
