// SPDX-License-Identifier: Apache-2.0

/// An operation to measure.
struct Benchmark {
  /// A dotted name: the component, then the operation.
  let name: String

  /// The name of the reference benchmark: the raw OpenSSL operation.
  let raw: String

  /// The bytes that one call processes, if throughput matters.
  let byteCount: Int?

  /// The number of threads, each with its own ``make``.
  let threads: Int

  /// Whether a second thread of this process does a part of a call. Then its time is the processor time of the process.
  let hasHelper: Bool

  /// The goal, if any.
  let goal: Goal?

  /// Makes the closure to call repeatedly. Its setup is not measured.
  let make: () throws -> () throws -> Void

  init(
    _ name: String, against raw: String = Benchmark.yardstick, byteCount: Int? = nil, threads: Int = 1,
    hasHelper: Bool = false, goal: Goal? = nil,
    make: @escaping () throws -> () throws -> Void
  ) {
    self.name = name
    self.raw = raw
    self.byteCount = byteCount
    self.threads = threads
    self.hasHelper = hasHelper
    self.goal = goal
    self.make = make
  }

  /// The same on two threads, compared with the raw operation on two threads.
  var onTwoThreads: Benchmark { onTwoThreads(goal: nil) }

  func onTwoThreads(goal: Goal?) -> Benchmark {
    Benchmark(Self.twice(name), against: Self.twice(raw), byteCount: byteCount, threads: 2, goal: goal, make: make)
  }

  /// The name of the single-threaded benchmark, for one with two threads.
  var onOneThread: String? { threads == 1 ? nil : String(name.dropLast(Self.twice("").count)) }

  private static func twice(_ name: String) -> String { "\(name).two-threads" }

  /// The common reference: one ES256 verification, which every sign-in needs.
  static let yardstick = "raw.es256.verify"
}

/// Keeps the optimizer from removing work whose result is unused.
@inline(never)
func keep<Value>(_ value: Value) {
  withExtendedLifetime(value) {}
}
