// SPDX-License-Identifier: Apache-2.0

internal import PasskeySystem

/// Runs a task on the calling thread until it waits for an event. What follows the event runs in Swift's pool.
///
/// A request that needs no user is finished when ``run(_:)`` returns: handing it to another thread and back would take
/// longer than its signature.
final class InlineExecutor: TaskExecutor {
  /// The jobs for the thread in ``run(_:)``; nil while no thread is in it.
  private let jobs = Locked<[UnownedJob]?>(nil)

  /// Starts `work` and returns when it is finished or waits. One thread at a time may call this.
  func run(_ work: @escaping @Sendable () async -> Void) {
    jobs.withLock { (jobs) in jobs = [] }
    Task(executorPreference: self) { await work() }
    while let job = next() { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isTaken = jobs.withLock { (jobs) in jobs?.append(job) != nil }
    if !isTaken { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
  }

  private func next() -> UnownedJob? {
    jobs.withLock { (jobs) in
      if jobs?.isEmpty == false { return jobs?.removeFirst() }
      jobs = nil
      return nil
    }
  }
}
