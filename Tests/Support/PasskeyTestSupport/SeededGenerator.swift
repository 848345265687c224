// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// SplitMix64: random enough to search for faults, and the same numbers for the same seed.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Starts at `seed`.
  public init(seed: UInt64) {
    state = seed
  }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// `count` random bytes.
  public mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
  }
}

/// The number of inputs that a property test generates.
public enum PropertyRuns {
  /// The variable that sets the number of inputs for a property of a codec.
  public static let variable = "PASSKEY_PROPERTY_RUNS"

  /// The default for a property of a codec.
  public static let defaultCount = 20_000

  /// Returns the number of inputs for a property whose default is `usual`. The night tier makes fifty times as many; the
  /// variable sets the number for a codec's property, and scales the others by the same factor.
  public static func count(default usual: Int = defaultCount) -> Int {
    if let value = unsafe getenv(variable), let number = unsafe Int(String(cString: value)), number > 0 {
      return count(default: usual, of: number)
    }
    return count(default: usual, of: Tier.current == .night ? 1_000_000 : defaultCount)
  }

  /// Returns `number` scaled by `usual` / ``defaultCount``, at least one.
  public static func count(default usual: Int, of number: Int) -> Int {
    let (product, overflow) = number.multipliedReportingOverflow(by: usual)
    return overflow ? number : max(1, product / defaultCount)
  }

  /// Calls `property` once for each input, with a generator that depends only on the input's number.
  ///
  /// A property throws if it fails. The resulting error names the run; ``generator(run:)`` makes the same input again.
  public static func check(
    default usual: Int = defaultCount, _ property: (inout SeededGenerator) throws -> Void
  ) throws {
    for run in 0..<count(default: usual) {
      var generator = generator(run: run)
      do {
        try property(&generator)
      } catch {
        throw Counterexample(run: run, error: error)
      }
    }
  }

  /// Returns the generator of one run.
  public static func generator(run: Int) -> SeededGenerator {
    SeededGenerator(seed: UInt64(truncatingIfNeeded: run) &* 0xd134_2543_de82_ef95)
  }

  /// A property failed.
  public struct Counterexample: Error, CustomStringConvertible {
    /// The number of the failed run.
    public let run: Int
    /// The error of the property.
    public let error: any Error

    /// The run and the error, for the test report.
    public var description: String { "run \(run): \(error)" }
  }
}
