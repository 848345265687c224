// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PasskeyStorage
import PasskeySystem

@Suite struct JobQueueTests {
  @Test func `jobs run in order, a limited number at a time`() throws {
    let queue = JobQueue<Int>(limit: 10)
    for job in 0..<5 { try queue.add(job) }
    #expect(queue.take(atMost: 2) == [0, 1])
    #expect(queue.take(atMost: 10) == [2, 3, 4])
  }

  @Test func `a full queue refuses jobs until there is room`() throws {
    let queue = JobQueue<Int>(limit: 2)
    for job in 0..<2 { try queue.add(job) }
    #expect(throws: JobQueue<Int>.Refusal.full) { try queue.add(2) }
    _ = queue.take(atMost: 1)
    try queue.add(3)
    #expect(queue.take(atMost: 10) == [1, 3])
  }

  @Test func `a closed queue finishes its jobs`() throws {
    let queue = JobQueue<Int>(limit: 2)
    try queue.add(1)
    queue.close()
    #expect(throws: JobQueue<Int>.Refusal.closed) { try queue.add(2) }
    #expect(queue.take(atMost: 10) == [1])
    #expect(queue.take(atMost: 10) == nil)
  }

  @Test func `held jobs wait for a full batch, a release or the end`()
    async throws
  {
    let queue = JobQueue<Int>(limit: 10)
    let taken = Locked<[[Int]]>([])
    func waitForTaken(_ count: Int) async throws -> [[Int]] {
      try await WorkerThread.run { taken.wait { (taken) in taken.count >= count ? taken : nil } }
    }
    queue.setMinimumBatch(3)
    try queue.add(1)
    let started = queue.startWorker {
      while let jobs = queue.take(atMost: 10) { taken.update { (taken) in taken.append(jobs) } }
    }
    #expect(started)
    try queue.add(2)
    try queue.add(3)
    #expect(try await waitForTaken(1) == [[1, 2, 3]])
    try queue.add(4)
    queue.setMinimumBatch(1)
    #expect(try await waitForTaken(2) == [[1, 2, 3], [4]])
    queue.setMinimumBatch(3)
    try queue.add(5)
    queue.close()
    #expect(try await waitForTaken(3) == [[1, 2, 3], [4], [5]])
    try await WorkerThread.run { queue.waitForWorkers() }
  }

  @Test func `waiting for the workers ends with the last one`() async throws {
    let queue = JobQueue<Int>(limit: 1000)
    let sum = Locked(0)
    for _ in 0..<4 {
      let started = queue.startWorker {
        while let jobs = queue.take(atMost: 3) { sum.withLock { (sum) in sum += jobs.reduce(0, +) } }
      }
      #expect(started)
    }
    for job in 1...500 { try queue.add(job) }
    queue.close()
    try await WorkerThread.run { queue.waitForWorkers() }
    #expect(sum.withLock { (sum) in sum } == 125_250)
  }
}
