// SPDX-License-Identifier: Apache-2.0

internal import CAllocationCounter

/// Counts what a piece of work asks of the allocator, on the thread that does it.
///
/// A test of a limit compares the figure with the size of its input: a parser that believes a length before it checks
/// it asks for far more. A test that counts carries
/// `.enabled(if: AllocationCounter.isCounting, "\(AllocationCounter.absence)")`.
public enum AllocationCounter {
  /// Whether this build counts. Where there is neither glibc nor a sanitizer, it cannot.
  public static let isCounting = allocation_counter_is_counting()

  /// Why a test that counts was skipped.
  public static let absence = "this build's allocator does not count"

  /// The bytes that `work` asked for, whether it kept them or not. Work that may throw and is counted all the same
  /// catches for itself.
  public static func bytes<Result, Failure>(during work: () throws(Failure) -> Result) throws(Failure) -> Int {
    let before = allocation_counter_bytes()
    _ = try work()
    return Int(clamping: allocation_counter_bytes() &- before)
  }

  /// How often `work` went to the allocator.
  public static func calls<Result, Failure>(during work: () throws(Failure) -> Result) throws(Failure) -> Int {
    let before = allocation_counter_calls()
    _ = try work()
    return Int(clamping: allocation_counter_calls() &- before)
  }
}
