// SPDX-License-Identifier: Apache-2.0

import SystemThreads

/// What is to be done, in the order in which it came, for one or several worker threads.
final class JobQueue<Job: Sendable>: Sendable {
  private struct State {
    var jobs: [Job] = []
    var isClosed = false
    /// So many jobs have to wait before they are taken.
    var enough = 1
    var workerCount = 0
  }

  private let state = Monitor(State())
  private let limit: Int

  /// A queue for at most so many jobs that wait: who comes when it is full is better told at once.
  init(limit: Int) {
    self.limit = limit
  }

  /// Why a job was not taken.
  enum Refusal: Error {
    case closed
    case full
  }

  func add(_ job: Job) throws(Refusal) {
    try state.change { (state) throws(Refusal) in
      guard !state.isClosed else { throw .closed }
      guard state.jobs.count < limit else { throw .full }
      state.jobs.append(job)
      return state.jobs.count >= state.enough
    }
  }

  /// Has jobs wait until there are so many of them, or until less is said to be enough: where several take hardly longer
  /// than one, and nobody would hear of that one any sooner.
  func holdBack(until enough: Int) {
    state.withLock { (state) in state.enough = enough }
  }

  /// Waits for jobs and takes the first of them; nil when the queue is closed and empty.
  func take(atMost count: Int) -> [Job]? {
    state.wait { (state) -> [Job]?? in
      if state.jobs.isEmpty { return state.isClosed ? .some(nil) : nil }
      guard state.jobs.count >= state.enough || state.isClosed else { return nil }
      let taken = Array(state.jobs.prefix(count))
      state.jobs.removeFirst(taken.count)
      return taken
    }
  }

  /// Takes no more jobs; those that wait are still done.
  func close() {
    state.withLock { (state) in state.isClosed = true }
  }

  /// Starts a thread that works for the queue, and counts it until it ends.
  func startWorker(_ body: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { (state) in state.workerCount += 1 }
    let started = OwnThread.start { [self] in
      body()
      state.withLock { (state) in state.workerCount -= 1 }
    }
    if !started { state.withLock { (state) in state.workerCount -= 1 } }
    return started
  }

  /// Waits, in the caller's thread, until the last worker has ended.
  func waitForWorkers() {
    state.wait { (state) in state.workerCount == 0 ? () : nil }
  }
}
