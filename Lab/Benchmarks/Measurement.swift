// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Glibc
internal import PasskeyTestSupport
internal import Synchronization

/// Measures a benchmark and its reference benchmarks in one run.
///
/// The speed of a machine varies. Therefore all benchmarks alternate in many short rounds. A ratio is the median of the
/// ratios of neighboring rounds, the time is the median of the rounds.
struct Measurement {
  /// The CPU time of one call in nanoseconds, which excludes other processes: of the calling thread, or of all threads of the
  /// process if a second one does a part of the call. With several measured threads: the wall-clock time divided by the
  /// number of calls.
  let nanoseconds: Double

  /// The ratio of the time to that of each reference.
  let ratios: [Double]

  /// The difference of the 10th and the 90th percentile of the rounds, relative to the time.
  let spread: Double

  /// The allocations of one call, including those of libcrypto.
  let allocations: Int

  /// The duration of a round: long enough for the clock, and short enough that the speed hardly varies.
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

  /// Runs rounds of one benchmark, each with the same number of calls.
  private final class Rounds {
    private let bodies: [() throws -> Void]
    private let clock: clockid_t
    private var calls = 1

    init(_ benchmark: Benchmark) throws {
      bodies = try (0..<benchmark.threads).map { _ in try benchmark.make() }
      clock =
        bodies.count > 1 ? CLOCK_MONOTONIC : benchmark.hasHelper ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_THREAD_CPUTIME_ID
      // The first calls warm the caches and determine the number of calls per round.
      var time = try take()
      while time * Double(calls) * Double(bodies.count) < roundNanoseconds {
        calls *= 2
        time = try take()
      }
    }

    /// Runs one round and returns the time of one call. Repeats a round that was preempted, up to a limit, because the other
    /// process also evicts caches.
    func take() throws -> Double {
      for _ in 0..<Measurement.mostAttempts {
        let before = Self.interruptions
        let time = try takeOnce()
        if Self.interruptions == before { return time }
      }
      return try takeOnce()
    }

    private func takeOnce() throws -> Double {
      let start = Self.nanoseconds(of: clock)
      if bodies.count == 1 {
        for _ in 0..<calls { try bodies[0]() }
      } else {
        try takeTogether()
      }
      return (Self.nanoseconds(of: clock) - start) / Double(calls * bodies.count)
    }

    /// The number of involuntary context switches of the calling thread.
    private static var interruptions: Int {
      var usage = rusage()
      unsafe getrusage(callingThread, &usage)
      return usage.ru_nivcsw
    }

    /// RUSAGE_THREAD, a GNU extension that Swift does not import.
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
      // Each thread has its own body.
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

/// The errors of other threads.
private final class Failures: Sendable {
  private let errors = Mutex<[any Error]>([])

  func note(_ error: any Error) {
    errors.withLock { $0.append(error) }
  }

  var first: (any Error)? { errors.withLock(\.first) }
}
