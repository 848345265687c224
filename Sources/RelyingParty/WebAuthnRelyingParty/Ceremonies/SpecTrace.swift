// SPDX-License-Identifier: Apache-2.0

/// A record of each numbered step of a ceremony, for conformance reviews.
///
/// Pass one to a ceremony to fill it. Ceremonies without a trace create no trace text.
///
/// ```swift
/// let trace = SpecTrace()
/// _ = try? relyingParty.finishAuthentication(response, pending: pending, credential: stored, at: now, trace: trace)
/// for entry in trace.entries { print(entry) }
/// ```
public final class SpecTrace {
  /// The entries, in step order.
  package private(set) var entries: [Entry] = []

  /// Creates an empty trace.
  public init() {}

  /// One check or note of a step.
  package struct Entry: Sendable {
    /// The step's number in the standard.
    package let step: Int
    /// A short description of the check.
    package let title: String
    /// The outcome.
    package let outcome: Outcome
    /// The expected and the received value, if the check compared two values.
    package let comparison: CeremonyError.Comparison?
  }

  /// The outcome of a check.
  package enum Outcome: Sendable, Equatable {
    /// The check passed.
    case passed
    /// The check failed, and the ceremony ended.
    case failed(CeremonyError.Code)
    /// No check was necessary; the title gives the reason.
    case noted
  }

  func append(_ entry: Entry) {
    entries.append(entry)
  }
}

extension SpecTrace.Entry: CustomStringConvertible {
  /// One line with the number, the outcome and the received value; after a failed check also the expected value.
  public var description: String {
    let mark =
      switch outcome {
      case .passed: "pass"
      case .failed: "FAIL"
      case .noted: "    "
      }
    var line = (step < 10 ? " " : "") + "\(step). \(mark)  \(title)"
    if let comparison {
      let expected = outcome == .passed ? "" : "expected \(comparison.expected), received "
      line += ": \(expected)\(comparison.received)"
    }
    if case .failed(let code) = outcome { line += " (\(code.rawValue))" }
    return line
  }
}
