// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// How many inputs a property test makes for itself.
public enum PropertyRuns {
  /// The variable that `Scripts/test --long` sets.
  public static let variable = "PASSKEY_PROPERTY_RUNS"

  /// What a property of a codec usually tries.
  public static let usualCount = 20_000

  /// How many inputs a property tries that tries `usual` of them where the variable is not set. One that costs more and
  /// tries fewer stays as much behind when the variable says how many a codec's property tries.
  public static func count(default usual: Int = usualCount) -> Int {
    guard let value = unsafe getenv(variable), let number = unsafe Int(String(cString: value)), number > 0 else {
      return usual
    }
    return count(default: usual, of: number)
  }

  /// The share of `number` that `usual` is of ``usualCount``, at least one.
  public static func count(default usual: Int, of number: Int) -> Int {
    let (product, overflow) = number.multipliedReportingOverflow(by: usual)
    return overflow ? number : max(1, product / usualCount)
  }

  /// Calls `property` once for each input, with a generator that depends on the input's number alone.
  ///
  /// A property throws what it found. The error that comes out names the run, so that the one input can be made again
  /// with ``generator(run:)``.
  public static func check(
    default usual: Int = usualCount, _ property: (inout SeededGenerator) throws -> Void
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

  /// The generator of one run.
  public static func generator(run: Int) -> SeededGenerator {
    SeededGenerator(seed: UInt64(truncatingIfNeeded: run) &* 0xd134_2543_de82_ef95)
  }

  /// A property does not hold.
  public struct Counterexample: Error, CustomStringConvertible {
    /// The number of the run that showed it.
    public let run: Int
    /// What the property said.
    public let error: any Error

    /// Both, for the report of a failed test.
    public var description: String { "run \(run): \(error)" }
  }
}
