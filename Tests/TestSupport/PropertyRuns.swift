// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// How many inputs a property test makes for itself.
public enum PropertyRuns {
  /// The variable that `Scripts/test --long` sets: how many inputs a property gets that gets 20,000 otherwise.
  public static let variable = "PASSKEY_PROPERTY_RUNS"

  /// What a property gets that says nothing else.
  public static let usual = 20_000

  /// `count`, or where the variable is set as many more as it says. A property whose inputs are dear asks for fewer than
  /// the usual, and its share stays as small.
  public static func count(default count: Int = usual) -> Int {
    guard let value = unsafe getenv(variable), let number = unsafe Int(String(cString: value)), number > 0 else {
      return count
    }
    let (product, overflow) = number.multipliedReportingOverflow(by: count)
    return overflow ? number : max(1, product / usual)
  }

  /// Calls `property` once for each input, with a generator that depends on the input's number alone.
  ///
  /// A property throws what it found. The error that comes out names the run, so that the one input can be made again
  /// with ``generator(run:)``.
  public static func check(
    default count: Int = usual, _ property: (inout SeededGenerator) throws -> Void
  ) throws {
    for run in 0..<self.count(default: count) {
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
