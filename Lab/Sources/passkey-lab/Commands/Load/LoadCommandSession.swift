// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyFormats
internal import PasskeyLoad
internal import PasskeyProfiles
internal import PasskeySystem
internal import WebAuthnClient

/// One run of `passkey load`: accounts, load or search, check, deletion, reports.
final class LoadCommandSession {
  private let options: LoadOptions
  private let target: LoadTarget
  private let display: LoadDisplay
  private let load: Load

  init(_ options: LoadOptions) throws(LoadError) {
    self.options = options
    let server = options.server
    target = LoadTarget(
      server: server.server, profile: server.profile, origin: server.origin, settings: server.http)
    display = LoadDisplay(isEnabled: FileDescriptor.standardError.isTerminal)
    let patience = Patience()
    self.patience = patience
    load = try Load(target, options.plan, isStopped: { Interruption.count > patience.interruptions }) { [display] in
      display.end()
      Diagnostics.passkey.note(RateLimitNote.text)
    }
  }

  private let patience: Patience

  /// How many times the user may press Ctrl-C before the current step stops.
  private final class Patience {
    var interruptions = 0
  }

  /// Runs all steps.
  func run() throws(LoadError) -> LoadReport {
    let plan = options.plan
    let start = Clock.now
    let prepared = try load.prepare(plan.accountCount, exist: options.reusesAccounts) { [display] (progress) in
      display.show("creating accounts", progress)
    }
    if options.checksAcknowledged { load.repeatCompletedCeremonies() }
    var search: RateSearch?
    let figures: LoadFigures
    if options.searches {
      let found = RateSearch(
        from: plan.highestLevel, to: options.highestLevel, plan.objectives, isWhole: plan.model == .closed
      ) { (level) in measure(plan, level) }
      figures = found.figures
      search = found
    } else {
      figures = load.run(plan) { [display] (snapshot) in display.show(snapshot) }
    }
    var report = LoadReport(target, plan, start: start, figures)
    report.prepared = prepared
    report.search = search
    // The load has ended; the next Ctrl-C ends the check or the deletion.
    patience.interruptions = Interruption.count
    if options.checksAcknowledged {
      report.losses = load.verify { [display] (progress) in display.show("checking accounts", progress) }
    }
    report.removed = removeAccounts(afterInterruption: report.wasStopped)
    report.leftCount = load.accountCount
    display.end()
    return report
  }

  /// Deletes the accounts; nil if the user keeps them.
  private func removeAccounts(afterInterruption isInterrupted: Bool) -> Load.Progress? {
    guard !options.keepsAccounts else { return nil }
    let count = load.accountCount
    if isInterrupted, count > 0, target.profile[.eraseAccount] != nil {
      display.end()
      Diagnostics.passkey.note(
        "deleting \(count) account\(count == 1 ? "" : "s"); another Ctrl-C leaves the rest on the server")
    }
    return load.cleanUp { [display] (progress) in display.show("deleting accounts", progress) }
  }

  private func measure(_ plan: LoadPlan, _ level: Double) -> LoadFigures {
    var step = plan
    let seconds = plan.phases.last?.seconds ?? 10
    // A tenth warms up connections and caches.
    step.phases = [
      .init(from: level, to: level, seconds: max(0.5, seconds / 10), isMeasured: false),
      .init(from: level, to: level, seconds: seconds),
    ]
    return load.run(step) { [display] (snapshot) in display.show(snapshot, searchingAt: level) }
  }

  /// Writes the reports, each even if another one cannot be written. Throws if one failed, if an objective does not hold or
  /// something was lost.
  func finish(_ report: LoadReport) throws(CommandFailure) {
    var failure: CommandFailure?
    func attempt(_ write: () throws(CommandFailure) -> Void) {
      do throws(CommandFailure) { try write() } catch { failure = failure ?? error }
    }
    // Before standard output: its reader may be gone, which ends the program.
    for (path, text) in [
      (options.htmlPath, { report.html }), (options.prometheusPath, { report.prometheus }),
      (options.histogramPath, { report.figures.log.text }),
    ] {
      guard let path else { continue }
      attempt { () throws(CommandFailure) in try OutputFile.write([UInt8](text().utf8), to: path) }
    }
    attempt { () throws(CommandFailure) in try print(report) }
    if let failure { throw failure }
    guard report.holds else {
      if report.search?.wasStopped == true, report.losses?.isEmpty != false { throw .interrupted }
      throw .verificationFailed(LoadSummary.failure(of: report))
    }
  }

  private func print(_ report: LoadReport) throws(CommandFailure) {
    guard options.asJSON else { return try Output.write(LoadSummary(report, isKept: options.keepsAccounts).text) }
    try Output.write(report.json + [UInt8(ascii: "\n")])
    if options.keepsAccounts, report.leftCount > 0 {
      let seed = report.plan.seed.quotedForTerminal
      Diagnostics.passkey.note("the accounts can be used again with --reuse-accounts --seed \(seed)")
    }
  }
}
