// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WireFormats

/// A body that waits for its turn in a worker thread, and somebody who waits for its value.
protocol PendingWork<Transaction>: AnyObject, Sendable {
  associatedtype Transaction

  /// The row that a free write changes.
  var row: Bytes? { get }

  /// Runs the body and keeps its value.
  func run(_ transaction: Transaction) throws(StorageError)

  /// Hands the kept value over.
  func succeed()

  func fail(_ error: StorageError)
}

typealias PendingWrite = any PendingWork<any SQLWrite>
typealias PendingRead = any PendingWork<any SQLTransaction>

final class PendingBody<Transaction, Value: Sendable>: PendingWork, @unchecked Sendable {
  // One worker thread at a time has it, and ends it once.
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
    guard let value else { return fail(StorageError(.failed, "a transaction that did not run")) }
    continuation.resume(returning: .success(value))
  }

  func fail(_ error: StorageError) {
    continuation.resume(returning: .failure(error))
  }
}

extension JobQueue {
  /// Puts a body into the queue, and waits for its value without holding a thread.
  func perform<Transaction, Value: Sendable>(
    row: Bytes? = nil, _ body: @escaping @Sendable (Transaction) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value where Job == any PendingWork<Transaction> {
    try await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, StorageError>, Never>) in
      let pending = PendingBody(row, body, continuation)
      do throws(Refusal) {
        try add(pending)
      } catch {
        pending.fail(
          StorageError(.unavailable, error == .closed ? "the storage is closed" : "too much is waiting for it"))
      }
    }.get()
  }
}
