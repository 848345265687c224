// SPDX-License-Identifier: Apache-2.0

/// What happened in each numbered step of a ceremony: for whoever must see that an implementation is right.
///
/// A ceremony that is given none writes none, and makes no text for it.
///
/// ```swift
/// let trace = SpecTrace()
/// _ = try? relyingParty.finishAuthentication(response, pending: pending, credential: stored, at: now, trace: trace)
/// for entry in trace.entries { print(entry) }
/// ```
public final class SpecTrace {
  /// What was found, in the order of the steps.
  public private(set) var entries: [Entry] = []

  /// Starts empty.
  public init() {}

  /// One thing that a step did.
  public struct Entry: Sendable {
    /// The step's number in the standard.
    public let step: Int
    /// What the step is about, in a few words.
    public let title: String
    /// How it ended.
    public let outcome: Outcome
    /// What was compared, where two things were.
    public let comparison: CeremonyError.Comparison?
  }

  /// How a step ended.
  public enum Outcome: Sendable, Equatable {
    /// It held.
    case passed
    /// It did not, and the ceremony ended here.
    case failed(CeremonyError.Code)
    /// There was nothing to check, for a reason that the title says.
    case noted
  }

  func append(_ entry: Entry) {
    entries.append(entry)
  }
}

extension SpecTrace.Entry: CustomStringConvertible {
  /// One line: the number, how it ended, and what was compared.
  public var description: String {
    let mark =
      switch outcome {
      case .passed: "pass"
      case .failed: "FAIL"
      case .noted: "    "
      }
    var line = (step < 10 ? " " : "") + "\(step). \(mark)  \(title)"
    if let comparison, comparison.expected == comparison.received {
      line += ": \(comparison.received)"
    } else if let comparison {
      line += ": expected \(comparison.expected), received \(comparison.received)"
    }
    if case .failed(let code) = outcome { line += " (\(code.rawValue))" }
    return line
  }
}
