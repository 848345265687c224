// SPDX-License-Identifier: Apache-2.0

import PasskeySystem
import PasskeyTestSupport
import Testing

struct LockedTests {
  @Test func `concurrent changes are not lost`() async {
    let sum = Locked(0)
    await withTaskGroup { (group) in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<1_000 { sum.withLock { $0 += 1 } } }
      }
    }
    #expect(sum.withLock { $0 } == 8_000)
  }

  @Test func `wait returns once an update gives it a result`() async {
    let value = Locked(0)
    async let waited = SystemThread.run { value.wait { (value) in value == 3 ? value : nil } }
    for _ in 0..<3 { value.update { $0 += 1 } }
    #expect(await waited == 3)
  }

  @Test func `one wake-up is enough for one job`() async {
    let jobs = Locked<[Int]>([])
    async let first = SystemThread.run { jobs.wait { (jobs) in jobs.popLast() } }
    async let second = SystemThread.run { jobs.wait { (jobs) in jobs.popLast() } }
    for job in [1, 2] {
      jobs.updateWakingOne { (jobs) in
        jobs.append(job)
        return true
      }
    }
    let taken = await [first, second].compactMap { $0 }
    #expect(Set(taken) == [1, 2])
  }

  @Test func `a deadline ends the wait`() async {
    let value = Locked(0)
    let start = ContinuousClock.now
    let result = await SystemThread.run {
      value.wait(until: start + .milliseconds(20)) { (value) in value == 1 ? value : nil }
    }
    #expect(result == .some(nil))
    #expect(ContinuousClock.now - start >= .milliseconds(20))
  }

  @Test func `a wait with a deadline returns once an update gives it a result`() async {
    let value = Locked(0)
    async let waited = SystemThread.run {
      (1...1_000).allSatisfy { (count) in
        value.wait(until: .now + .seconds(HangGuard.seconds)) { (value) in value >= count ? value : nil } != nil
      }
    }
    for _ in 0..<1_000 { value.update { $0 += 1 } }
    #expect(await waited == true)
  }

  @Test func `an available result wins over an expired deadline`() {
    let value = Locked(1)
    #expect(value.wait(until: .now - .seconds(1)) { (value) in value == 1 ? value : nil } == 1)
  }

  @Test func `an error leaves the lock free`() {
    struct Refusal: Error {}
    let value = Locked(1)
    #expect(throws: Refusal.self) { try value.update { (_) throws(Refusal) in throw Refusal() } }
    #expect(value.withLock { $0 } == 1)
  }
}
