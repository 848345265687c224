// SPDX-License-Identifier: Apache-2.0

/// Records each step of a ceremony: throws if a check fails, and adds an entry to the trace if there is one.
struct StepRecorder {
  private let trace: SpecTrace?

  init(_ trace: SpecTrace?) {
    self.trace = trace
  }

  /// Checks a condition. The texts are evaluated only for a trace or an error.
  @inline(__always)
  func require(
    _ holds: Bool, _ step: Int, _ code: CeremonyError.Code, _ title: @autoclosure () -> String,
    _ comparison: @autoclosure () -> CeremonyError.Comparison? = nil
  ) throws(CeremonyError) {
    if holds, trace == nil { return }
    try report(holds, step, code, title(), comparison())
  }

  /// Records a step that needs no check.
  @inline(__always)
  func note(_ step: Int, _ title: @autoclosure () -> String) {
    trace?.append(SpecTrace.Entry(step: step, title: title(), outcome: .noted, comparison: nil))
  }

  /// Records a step that a lower module verified.
  @inline(__always)
  func pass(_ step: Int, _ title: @autoclosure () -> String) {
    trace?.append(SpecTrace.Entry(step: step, title: title(), outcome: .passed, comparison: nil))
  }

  /// Records a step that a lower module refused, and returns the error.
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
