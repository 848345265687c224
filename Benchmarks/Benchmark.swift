// SPDX-License-Identifier: Apache-2.0

/// Something whose time is taken.
struct Benchmark {
  /// A dotted name: what is at work, then what it does.
  let name: String

  /// The name of the benchmark that the time is compared with: what OpenSSL alone takes.
  let raw: String

  /// How many bytes one call goes through, where that is a figure of interest.
  let byteCount: Int?

  /// How many threads do it at once, each with its own ``make``.
  let threads: Int

  /// What the figure must be, where the project has promised something.
  let goal: Goal?

  /// Makes what is called over and over. What it needs is made with it, outside of the time.
  let make: () throws -> () throws -> Void

  init(
    _ name: String, against raw: String = Benchmark.yardstick, byteCount: Int? = nil, threads: Int = 1,
    goal: Goal? = nil,
    make: @escaping () throws -> () throws -> Void
  ) {
    self.name = name
    self.raw = raw
    self.byteCount = byteCount
    self.threads = threads
    self.goal = goal
    self.make = make
  }

  /// The same on two threads at once, beside the raw operation on two threads.
  var onTwoThreads: Benchmark { onTwoThreads(goal: nil) }

  func onTwoThreads(goal: Goal?) -> Benchmark {
    Benchmark(Self.twice(name), against: Self.twice(raw), byteCount: byteCount, threads: 2, goal: goal, make: make)
  }

  /// The name of the same on one thread, for one that is on two.
  var onOneThread: String? { threads == 1 ? nil : String(name.dropLast(Self.twice("").count)) }

  private static func twice(_ name: String) -> String { "\(name).two-threads" }

  /// What all else stands beside: one ES256 verification, which every sign-in pays for anyhow.
  static let yardstick = "raw.es256.verify"
}

/// Keeps the optimiser from leaving out work whose result nobody looks at.
@inline(never)
func keep<Value>(_ value: Value) {
  withExtendedLifetime(value) {}
}
