// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyAllocationCounter
internal import Glibc

/// Counts the allocations of a closure, on its thread.
///
/// A test of a limit compares the count with the size of its input: a parser that trusts an unchecked length allocates far
/// more. A test that counts has the trait
/// `.enabled(if: AllocationCounter.isCounting, "\(AllocationCounter.absence)")`.
public enum AllocationCounter {
  /// Whether this build can count.
  public static let isCounting = allocation_counter_is_counting()

  /// The reason for skipping a test that counts.
  public static let absence = "this build's allocator does not count"

  /// Returns the number of bytes that `work` allocates, including those that it frees. `work` catches its own errors.
  public static func bytes<Result, Failure>(during work: () throws(Failure) -> Result) throws(Failure) -> Int {
    let before = allocation_counter_bytes()
    _ = try work()
    return Int(clamping: allocation_counter_bytes() &- before)
  }

  /// Returns the number of allocations of `work`.
  public static func calls<Result, Failure>(during work: () throws(Failure) -> Result) throws(Failure) -> Int {
    let before = allocation_counter_calls()
    _ = try work()
    return Int(clamping: allocation_counter_calls() &- before)
  }

  /// Runs `work` many times, and returns how many bytes more than before the process holds for each run.
  ///
  /// The allocator's own caches are less than a byte a run. A block that each run leaves behind has
  /// 32 bytes or more in the C library's. Other tests of the process allocate meanwhile, so the least of several
  /// measurements counts.
  public static func heldBytes<Failure>(perRunOf work: () throws(Failure) -> Void) throws(Failure) -> Double {
    // Fill the caches.
    for _ in 0..<256 { try work() }
    var least = Double.infinity
    for _ in 0..<8 {
      let before = allocation_counter_live_bytes()
      let count = 1_024
      for _ in 0..<count { try work() }
      least = min(least, (Double(allocation_counter_live_bytes()) - Double(before)) / Double(count))
    }
    return least
  }
}

/// Whether this build uses a sanitizer, which multiplies time and memory.
public enum Sanitizer {
  /// A sanitizer's runtime is linked in.
  public static let isPresent = unsafe dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

  /// The distance between the places of a file that a test corrupts in turn. [With a sanitizer each try takes ten times as
  /// long and finds the same faults.]
  public static let stride = isPresent ? 61 : Tier.choose(change: 11, merge: 1, night: 1)
}
