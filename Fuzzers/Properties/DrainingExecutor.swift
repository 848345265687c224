// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto

/// Runs asynchronous work on the thread that asks for it, to its end: a fuzzer has one thread, and one input at a time.
package final class DrainingExecutor: TaskExecutor {
  private let jobs = Locked<[UnownedJob]>([])

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { (jobs) in jobs.append(job) }
  }

  package init() {}

  /// What `work` returns; nothing where it waits for something that does not come from itself.
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

  /// Runs what is waiting, and what comes of it.
  package func drain() {
    while let job = next() { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  private func next() -> UnownedJob? {
    jobs.withLock { (jobs) in jobs.isEmpty ? nil : jobs.removeFirst() }
  }
}
