// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WireFormats

/// A body queued for a worker thread, with the continuation that awaits its value.
protocol PendingWork<Transaction>: AnyObject, Sendable {
  associatedtype Transaction

  /// The row that a free write changes.
  var row: Bytes? { get }

  /// Runs the body and stores its value.
  func run(_ transaction: Transaction) throws(StorageError)

  /// Resumes the continuation with the stored value.
  func succeed()

  func fail(_ error: StorageError)
}

typealias PendingWrite = any PendingWork<any SQLWrite>
typealias PendingRead = any PendingWork<any SQLTransaction>

// Unchecked: one worker thread at a time uses it and resumes the continuation exactly once.
final class PendingBody<Transaction, Value: Sendable>: PendingWork, @unchecked Sendable {
  typealias Body = @Sendable (Transaction) throws(StorageError) -> Value

  let row: Bytes?
  private let body: Body
  private let continuation: CheckedContinuation<Result<Value, StorageError>, Never>
  private var value: Value?

  init(
    _ row: Bytes?, _ body: @escaping Body, _ continuation: CheckedContinuation<Result<Value, StorageError>, Never>
  ) {
    self.row = row
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

extension JobQueue {
  /// Queues a body and awaits its value without blocking a thread.
  func perform<Transaction, Value: Sendable>(
    row: Bytes? = nil, _ body: @escaping @Sendable (Transaction) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value where Job == any PendingWork<Transaction> {
    try await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, StorageError>, Never>) in
      let pending = PendingBody(row, body, continuation)
      do throws(Refusal) {
        try add(pending)
      } catch {
        pending.fail(
          StorageError(.unavailable, error == .closed ? "the storage is closed" : "too many transactions are queued"))
      }
    }.get()
  }
}
