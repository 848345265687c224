// SPDX-License-Identifier: Apache-2.0

/// Takes each step of a ceremony as it passes: throws when it does not hold, and tells the trace if there is one.
struct StepRecorder {
  private let trace: SpecTrace?

  init(_ trace: SpecTrace?) {
    self.trace = trace
  }

  /// A step that may fail. The texts are made only for a trace or an error.
  @inline(__always)
  func require(
    _ holds: Bool, _ step: Int, _ code: CeremonyError.Code, _ title: @autoclosure () -> String,
    _ comparison: @autoclosure () -> CeremonyError.Comparison? = nil
  ) throws(CeremonyError) {
    if holds, trace == nil { return }
    try report(holds, step, code, title(), comparison())
  }

  /// A step in which there is nothing to check here.
  @inline(__always)
  func note(_ step: Int, _ title: @autoclosure () -> String) {
    trace?.append(SpecTrace.Entry(step: step, title: title(), outcome: .noted, comparison: nil))
  }

  /// A step that a floor below has passed.
  @inline(__always)
  func pass(_ step: Int, _ title: @autoclosure () -> String) {
    trace?.append(SpecTrace.Entry(step: step, title: title(), outcome: .passed, comparison: nil))
  }

  /// A step that a floor below has refused.
  func fail(
    _ step: Int, _ code: CeremonyError.Code, _ title: String, _ cause: CeremonyError.Cause?
  ) -> CeremonyError {
    trace?.append(SpecTrace.Entry(step: step, title: title, outcome: .failed(code), comparison: nil))
    return CeremonyError(code, step: step, cause: cause)
  }

  private func report(
    _ holds: Bool, _ step: Int, _ code: CeremonyError.Code, _ title: String,
    _ comparison: CeremonyError.Comparison?
  ) throws(CeremonyError) {
    let outcome = holds ? SpecTrace.Outcome.passed : .failed(code)
    trace?.append(SpecTrace.Entry(step: step, title: title, outcome: outcome, comparison: comparison))
    if !holds { throw CeremonyError(code, step: step, comparison) }
  }
}
