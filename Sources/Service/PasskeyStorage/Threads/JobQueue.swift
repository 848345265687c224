// SPDX-License-Identifier: Apache-2.0

import PasskeySystem

/// A first-in, first-out queue of jobs for one or more worker threads.
package final class JobQueue<Job: Sendable>: Sendable {
  private struct State {
    var jobs: [Job] = []
    var isClosed = false
    /// Workers take jobs once this many wait.
    var minimumBatch = 1
    var workerCount = 0
  }

  private let state = Locked(State())
  private let limit: Int

  /// Creates a queue that holds at most `limit` waiting jobs and refuses more.
  package init(limit: Int) {
    self.limit = limit
  }

  /// Why a job was refused.
  package enum Refusal: Error {
    case closed
    case full
  }

  /// Appends a job and wakes a worker.
  package func add(_ job: Job) throws(Refusal) {
    try state.updateWakingOne { (state) throws(Refusal) in
      guard !state.isClosed else { throw .closed }
      guard state.jobs.count < limit else { throw .full }
      state.jobs.append(job)
      return state.jobs.count >= state.minimumBatch
    }
  }

  /// Lets workers take jobs only once `count` wait, until this is called with a smaller number.
  ///
  /// The writer uses this while a commit is being made durable: a batch costs hardly more than one job, and none of them
  /// would finish earlier.
  package func setMinimumBatch(_ count: Int) {
    state.update { (state) in state.minimumBatch = count }
  }

  /// Blocks until jobs can be taken, and takes the first of them.
  ///
  /// - Returns: At most `count` jobs, or nil if the queue is closed and empty.
  package func take(atMost count: Int) -> [Job]? {
    state.wait { (state) -> [Job]?? in
      if state.jobs.isEmpty { return state.isClosed ? .some(nil) : nil }
      guard state.jobs.count >= state.minimumBatch || state.isClosed else { return nil }
      let taken = Array(state.jobs.prefix(count))
      state.jobs.removeFirst(taken.count)
      return taken
    }
  }

  /// Refuses further jobs. Workers still take those that wait.
  package func close() {
    state.update { (state) in state.isClosed = true }
  }

  /// Starts a thread that works for the queue and counts it until `body` returns.
  ///
  /// - Returns: False if the system cannot create another thread.
  package func startWorker(_ body: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { (state) in state.workerCount += 1 }
    let isStarted = SystemThread.start { [self] in
      body()
      state.update { (state) in state.workerCount -= 1 }
    }
    if !isStarted { state.update { (state) in state.workerCount -= 1 } }
    return isStarted
  }

  /// Blocks until all workers have returned.
  package func waitForWorkers() {
    state.wait { (state) in state.workerCount == 0 ? () : nil }
  }
}

/// A value that one thread transfers to another.
package final class Handover<Value: Sendable>: @unchecked Sendable {  // Taken once, by the thread that it is for.
  private var value: Value?

  package init(_ value: Value) {
    self.value = value
  }

  package func take() -> Value? {
    defer { value = nil }
    return value
  }
}

/// Runs calls that block on a disk or a socket.
package enum WorkerThread {
  /// Runs `body` on a thread of its own and suspends the calling task until it returns.
  ///
  /// - Throws: The error of `body`; `unavailable` if the system cannot create a thread.
  package static func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws(StorageError) -> Value
  ) async throws(StorageError) -> Value {
    guard let value = try await SystemThread.run(body) else {
      throw StorageError(.unavailable, "the system cannot create another thread")
    }
    return value
  }
}
