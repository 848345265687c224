// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyFormats
internal import PasskeyLoad

/// The report of a load as text.
struct LoadSummary {
  private let report: LoadReport
  private let isKept: Bool

  init(_ report: LoadReport, isKept: Bool) {
    self.report = report
    self.isKept = isKept
  }

  var text: String {
    let figures = report.figures
    let model = report.plan.model == .open ? "open model" : "closed model"
    var text = "\(report.server.escapedForTerminal), profile \(report.profile.escapedForTerminal), \(model)\n"
    text += "\(figures.rate.fixed(1)) successes a second in \(figures.duration.fixed(1)) s"
    text += report.wasStopped ? ", stopped by Ctrl-C\n\n" : "\n\n"
    text += operations + errors + objectives + search + generator + losses + accounts
    return text
  }

  private var operations: String {
    guard !report.operations.isEmpty else { return "No operation was measured.\n" }
    let isOpen = report.plan.model == .open
    var heads = ["operation", "successes", "failures"] + LatencyHistogram.reported.map(\.name) + ["max"]
    if isOpen { heads.append("uncorrected p99") }
    let rows = report.operations.map { (operation, figures) in
      var cells = [operation.rawValue, "\(figures.successCount)", "\(figures.failureCount)"]
      cells += LatencyHistogram.reported.map { figures.corrected.text($0.share) } + [figures.corrected.text(1)]
      if isOpen { cells.append(figures.uncorrected.text(0.99)) }
      return cells
    }
    return TextTable(rows: [heads] + rows, width: nil).text
  }

  private var errors: String {
    guard !report.failures.isEmpty else { return "" }
    return "\nFailures:\n"
      + report.failures.map { "  \($0.count) × \($0.code.escapedForTerminal)\n" }.joined()
  }

  private var objectives: String {
    guard !report.plan.objectives.isEmpty, report.search == nil else { return "" }
    let lines = report.plan.objectives.map { (objective) in
      let value = objective.value(in: report.figures.figures(for: objective))
      return "  \(objective): \(objective.holds(value) ? "holds" : "FAILS"), \(objective.text(value))\n"
    }
    return "\nObjectives:\n" + lines.joined()
  }

  private var search: String {
    guard let search = report.search else { return "" }
    let unit = report.plan.model == .open ? "operations a second" : "clients"
    let rows = search.steps.map { (step) in
      [
        "  \(step.level.fixed(1))", step.figures.total.corrected.text(0.99),
        "\(step.figures.total.failureCount) failures",
        step.holds ? "holds" : step.isOwnLimit ? "limit of this program" : "fails",
      ]
    }
    let best = search.best.map { "\($0.fixed(1)) \(unit) is the highest level at which the objectives hold." }
    return "\nSearch (\(unit), p99):\n" + TextTable(rows: rows, width: nil).text
      + "\n\(best ?? search.failureSentence)\n"
  }

  private var generator: String {
    let figures = report.figures
    var text = "\nThis program used \((figures.processorShare * 100).fixed(0)) % of a processor"
    let isOpen = report.plan.model == .open && figures.lag.count > 0
    text += isOpen ? " and started 99 % of the operations at most \(figures.lag.text(0.99)) late.\n" : ".\n"
    for reason in figures.bottlenecks { text += "It may have limited the load: \(reason).\n" }
    if figures.limitedCount > 0 {
      text += "\(figures.limitedCount) operations waited because \(report.plan.maximumConcurrency) were running.\n"
    }
    if figures.abandonedCount > 0 { text += "\(figures.abandonedCount) operations had no outcome at the end.\n" }
    return text
  }

  private var losses: String {
    guard let losses = report.losses else { return "" }
    var text =
      "Checked \(losses.checkedAccounts) accounts, \(losses.checkedSessions) sessions and "
      + "\(losses.checkedEndedSessions) ended sessions: "
    text += losses.isEmpty ? "nothing acknowledged was lost.\n" : "\(Self.losses(losses)).\n"
    for (name, code) in losses.accounts.prefix(10) {
      text += "  \(name.escapedForTerminal): \(code.escapedForTerminal)\n"
    }
    return text
  }

  private var accounts: String {
    let failed = report.prepared.failures.values.reduce(0, +)
    var text = ""
    if failed > 0 {
      let codes = LoadReport.sorted(report.prepared.failures).map { "\($0.count) × \($0.code.escapedForTerminal)" }
      text += "\(failed) accounts could not be created: \(codes.joined(separator: ", ")).\n"
    }
    guard report.leftCount > 0 else { return text + "The accounts were deleted.\n" }
    let reason: String
    if isKept {
      reason = "; use them again with --reuse-accounts --seed \(report.plan.seed.quotedForTerminal)"
    } else {
      let codes = LoadReport.sorted(report.removed?.failures ?? [:]).map { $0.code.escapedForTerminal }
      reason = codes.isEmpty ? "" : " (\(codes.prefix(3).joined(separator: ", ")))"
    }
    let prefix = AccountFactory.prefix(ofSeed: report.plan.seed)
    return text + "\(report.leftCount) accounts named \(prefix)… stay on the server\(reason).\n"
  }

  private static func losses(_ losses: Load.Losses) -> String {
    "\(losses.accounts.count) accounts and \(losses.sessions) sessions lost, "
      + "\(losses.endedSessions) ended sessions work again, \(losses.acceptedRepetitions) repeated ceremonies accepted, "
      + "\(losses.unknown) checks without a reply"
  }

  /// Returns why a report is a failure.
  static func failure(of report: LoadReport) -> String {
    if let losses = report.losses, !losses.isEmpty { return Self.losses(losses) }
    if let search = report.search { return search.failure }
    if report.lacksSuccess {
      return report.failures.first.map { "no operation succeeded: \($0.count) × \($0.code.escapedForTerminal)" }
        ?? "no operation was measured"
    }
    let broken = report.plan.objectives.filter { !$0.holds($0.value(in: report.figures.figures(for: $0))) }
    return "the objective \(broken.map(\.description).joined(separator: ", ")) does not hold"
  }
}
