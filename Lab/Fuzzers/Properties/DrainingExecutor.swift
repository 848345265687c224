// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
import PasskeySystem

/// Runs asynchronous work to its end on the calling thread: a fuzzer has one thread and one input at a time.
package final class DrainingExecutor: TaskExecutor {
  private let jobs = Locked<[UnownedJob]>([])

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { (jobs) in jobs.append(job) }
  }

  package init() {}

  /// Returns the result of `work`, or `nil` if it waits for an external event.
  package static func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value? {
    let executor = DrainingExecutor()
    let value = Locked<Value?>(nil)
    Task(executorPreference: executor) {
      let made = await work()
      value.withLock { (value) in value = made }
    }
    executor.drain()
    return value.withLock { (value) in value }
  }

  /// Runs all queued jobs, and the jobs that they enqueue.
  package func drain() {
    while let job = next() { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  private func next() -> UnownedJob? {
    jobs.withLock { (jobs) in jobs.isEmpty ? nil : jobs.removeFirst() }
  }
}
