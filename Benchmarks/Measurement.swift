// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Glibc
internal import Synchronization
internal import TestSupport

/// Takes the time of a benchmark and of those that it is compared with, in one run.
///
/// Machines change their speed from one moment to the next. So all take turns in many short rounds: a ratio is the median
/// of the ratios of neighbours, and the time the median of the rounds.
struct Measurement {
  /// The time of one call, in nanoseconds: the processor's time, so that what else the machine does is left out. On
  /// several threads, which wait for one another: of the wall clock's time, the share of one call.
  let nanoseconds: Double

  /// The time, divided by that of each of the others.
  let ratios: [Double]

  /// How far apart the tenth and the ninetieth of a hundred rounds are, as a part of the time.
  let spread: Double

  /// How often one call goes to the allocator, libcrypto's own calls included.
  let allocations: Int

  /// A round is long enough for the clock and short enough to end before the machine changes its mind.
  private static let roundNanoseconds = 2e6

  init(of benchmark: Benchmark, against others: [Benchmark], rounds: Int) throws {
    let measured = try Rounds(benchmark)
    let compared = try others.map { other in try Rounds(other) }
    var times: [Double] = []
    var ratios = others.map { _ in [Double]() }
    var before = try compared.map { other in try other.take() }
    for _ in 0..<rounds {
      let time = try measured.take()
      let after = try compared.map { other in try other.take() }
      times.append(time)
      for index in others.indices { ratios[index].append(time * 2 / (before[index] + after[index])) }
      before = after
    }
    allocations = try measured.countAllocations()
    times.sort()
    nanoseconds = times[rounds / 2]
    self.ratios = ratios.map { $0.sorted()[rounds / 2] }
    spread = (times[rounds * 9 / 10] - times[rounds / 10]) / nanoseconds
  }

  private static let mostAttempts = 8

  /// Rounds of one benchmark, each of the same number of calls.
  private final class Rounds {
    private let bodies: [() throws -> Void]
    private var calls = 1

    init(_ benchmark: Benchmark) throws {
      bodies = try (0..<benchmark.threads).map { _ in try benchmark.make() }
      // The first calls fill caches and find out how many make a round.
      var time = try take()
      while time * Double(calls) * Double(bodies.count) < roundNanoseconds {
        calls *= 2
        time = try take()
      }
    }

    /// The time of one call, from one round. One during which another program had the processor is taken again, as long
    /// as that may help: what such a program leaves in the caches would be counted.
    func take() throws -> Double {
      for _ in 0..<Measurement.mostAttempts {
        let before = Self.interruptions
        let time = try takeOnce()
        if Self.interruptions == before { return time }
      }
      return try takeOnce()
    }

    private func takeOnce() throws -> Double {
      let clock = bodies.count == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC
      let start = Self.nanoseconds(of: clock)
      if bodies.count == 1 {
        for _ in 0..<calls { try bodies[0]() }
      } else {
        try takeTogether()
      }
      return (Self.nanoseconds(of: clock) - start) / Double(calls * bodies.count)
    }

    /// How often the calling thread has lost the processor against its will.
    private static var interruptions: Int {
      var usage = rusage()
      unsafe getrusage(callingThread, &usage)
      return usage.ru_nivcsw
    }

    /// RUSAGE_THREAD, which Swift does not see: the C library has it for its own extensions only.
    private static let callingThread: __rusage_who_t = 1

    private static func nanoseconds(of clock: clockid_t) -> Double {
      var time = timespec()
      unsafe clock_gettime(clock, &time)
      return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }

    func countAllocations() throws -> Int {
      let body = bodies[0]
      return try AllocationCounter.calls { try body() }
    }

    private func takeTogether() throws {
      let failures = Failures()
      let calls = calls
      // Each thread has a body of its own.
      nonisolated(unsafe) let bodies = bodies
      unsafe DispatchQueue.concurrentPerform(iterations: bodies.count) { thread in
        do {
          let body = unsafe bodies[thread]
          for _ in 0..<calls { try body() }
        } catch {
          failures.note(error)
        }
      }
      if let first = failures.first { throw first }
    }
  }
}

/// What went wrong on other threads.
private final class Failures: Sendable {
  private let errors = Mutex<[any Error]>([])

  func note(_ error: any Error) {
    errors.withLock { $0.append(error) }
  }

  var first: (any Error)? { errors.withLock(\.first) }
}
