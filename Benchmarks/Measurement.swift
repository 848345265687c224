// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization
internal import TestSupport

/// Takes the time of a benchmark and of those that it is compared with, in one run.
///
/// Machines change their speed from one moment to the next. So all take turns in many short rounds: a ratio is the median
/// of the ratios of neighbours, and the time the median of the rounds.
struct Measurement {
  /// The time of one call, in nanoseconds. On several threads: of the wall clock's time, the share of one call.
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

    /// The time of one call, from one round.
    func take() throws -> Double {
      let start = ContinuousClock.now
      if bodies.count == 1 {
        for _ in 0..<calls { try bodies[0]() }
      } else {
        try takeTogether()
      }
      let elapsed = ContinuousClock.now - start
      return elapsed / .nanoseconds(1) / Double(calls * bodies.count)
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
