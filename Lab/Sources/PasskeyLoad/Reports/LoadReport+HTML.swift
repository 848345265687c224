// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

extension LoadReport {
  /// The report as one HTML file. It has no scripts, refers to no other file, and can be printed.
  package var html: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
    <title>Load on \(server.escapedForTerminal.escapedForHTML)</title>
    <style>\(Self.style)</style>
    </head>
    <body>
    <h1>Load on \(server.escapedForTerminal.escapedForHTML)</h1>
    \(summary)
    \(verdicts)
    <h2>Operations</h2>
    \(operationTable)
    <p>Latencies begin at the intended start of an operation, also if the operation could start only later. \
    \(plan.model == .open ? "The uncorrected values begin at the actual start." : "In the closed model both are the same.")</p>
    \(charts)
    <h2>Requests</h2>
    \(endpointTable)
    \(errorTable)
    \(searchTable)
    \(generator)
    </body>
    </html>

    """
  }

  private static let style = """
    body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1f24;background:#fff}
    table{border-collapse:collapse;width:100%;margin:.5rem 0 1rem}th,td{padding:.25rem .6rem;border-bottom:1px solid #d0d7de;text-align:right}
    th:first-child,td:first-child{text-align:left}.good{color:#116329}.bad{color:#a40e26;font-weight:600}
    svg{width:100%;height:auto;margin:.5rem 0 1.5rem}
    \(LineChart.style)
    @media print{body{margin:0;max-width:none}svg,table{break-inside:avoid}}
    """

  private var summary: String {
    let kind = plan.model == .open ? "open model, \(plan.arrivals.rawValue) arrivals" : "closed model"
    let stopped = wasStopped ? ", stopped early" : ""
    return """
      <p>\(start.description.escapedForTerminal.escapedForHTML) · profile \(profile.escapedForTerminal.escapedForHTML) · \(kind) · \
      \(figures.duration.fixed(1)) s measured\(stopped) · \(figures.rate.fixed(1)) successful operations a second · \
      \(figures.total.failureCount) failures</p>
      """
  }

  private var verdicts: String {
    var items = lacksSuccess ? [Self.item(false, "No operation succeeded.")] : []
    items += plan.objectives.map { (objective) in
      let value = objective.value(in: figures.figures(for: objective))
      let holds = objective.holds(value)
      return Self.item(holds, "\(objective.description): \(holds ? "holds" : "fails") with \(objective.text(value))")
    }
    for reason in figures.bottlenecks {
      items.append(Self.item(false, "The generator may have limited the load: \(reason)."))
    }
    if let losses {
      let text =
        "\(losses.checkedAccounts) accounts, \(losses.checkedSessions) sessions and \(losses.checkedEndedSessions) ended "
        + "sessions checked: \(losses.accounts.count) accounts and \(losses.sessions) sessions lost, "
        + "\(losses.endedSessions) ended sessions work again, \(losses.acceptedRepetitions) of \(losses.repetitions) "
        + "repeated ceremonies accepted, \(losses.unknown) unknown"
      items.append(Self.item(losses.isEmpty, text))
    }
    return items.isEmpty ? "" : "<ul>\(items.joined())</ul>"
  }

  private static func item(_ isGood: Bool, _ text: String) -> String {
    "<li class=\"\(isGood ? "good" : "bad")\">\(text.escapedForTerminal.escapedForHTML)</li>"
  }

  private var operationTable: String {
    let heads =
      ["operation", "successes", "failures"] + LatencyHistogram.reported.map(\.name) + ["max", "uncorrected p99"]
    return Self.table(
      heads,
      operations.map { (operation, figures) in
        [operation.rawValue, "\(figures.successCount)", "\(figures.failureCount)"] + Self.latencies(figures.corrected)
          + [figures.uncorrected.text(0.99)]
      })
  }

  private var endpointTable: String {
    Self.table(
      ["endpoint", "successes", "failures"] + LatencyHistogram.reported.map(\.name) + ["max"],
      endpoints.map { (name, figures) in
        [name, "\(figures.successCount)", "\(figures.failureCount)"] + Self.latencies(figures.corrected)
      })
  }

  private var errorTable: String {
    let rows = operations.flatMap { (operation, figures) in
      Self.sorted(figures.failures).map { [operation.rawValue, $0.code, "\($0.count)"] }
    }
    return rows.isEmpty ? "" : "<h2>Failures</h2>" + Self.table(["operation", "code", "count"], rows)
  }

  private var searchTable: String {
    guard let search else { return "" }
    let unit = plan.model == .open ? "operations a second" : "clients"
    let result = search.best.map { "The objectives hold at \($0.fixed(1)) \(unit)." } ?? search.failureSentence
    let rows = search.steps.map { (step) in
      [
        step.level.fixed(1), step.figures.rate.fixed(1),
        step.figures.total.corrected.text(0.99), "\(step.figures.total.failureCount)",
        step.holds ? "yes" : step.isOwnLimit ? "generator’s limit" : "no",
      ]
    }
    return "<h2>Search</h2><p>\(result)</p>"
      + Self.table(["planned", "successes a second", "p99", "failures", "holds"], rows)
  }

  private var generator: String {
    """
    <h2>Generator</h2>
    <p>CPU \((figures.processorShare * 100).fixed(0)) % of one processor · started late: \
    p50 \(figures.lag.text(0.5)), p99 \(figures.lag.text(0.99)), max \(figures.lag.text(1)) · at most \(figures.highestConcurrency) operations at the same time · \
    \(figures.limitedCount) operations waited for a free connection</p>
    """
  }

  private var charts: String {
    func points(
      of seconds: [LoadFigures.Second]? = nil, _ value: (LoadFigures.Second) -> Double
    ) -> [(x: Double, y: Double)] {
      (seconds ?? figures.seconds).map { ($0.time, value($0)) }
    }
    // A failure has no latency.
    let successful = figures.seconds.filter { $0.successCount > 0 }
    let isOpen = plan.model == .open
    var rates = [LineChart.Line(name: "completed", style: "a", points: points(\.rate))]
    if isOpen { rates.append(.init(name: "planned", style: "d", points: points(\.level))) }
    rates.append(.init(name: "failed", style: "c", points: points { Double($0.failureCount) / max($0.length, 1e-3) }))
    let rate = LineChart(title: "Rate", unit: "1/s", axis: "seconds", lines: rates)
    let latency = LineChart(
      title: "Latency", unit: "ms", axis: "seconds",
      lines: [
        .init(name: "p50", style: "a", points: points(of: successful) { Double($0.median) / 1e3 }),
        .init(name: "p99", style: "b", points: points(of: successful) { Double($0.p99) / 1e3 }),
        .init(name: "p99.9", style: "c", points: points(of: successful) { Double($0.p999) / 1e3 }),
      ], isLogarithmic: true)
    return "<h2>Rate</h2>\(rate.svg)<h2>Latency</h2>\(latency.svg)<h2>Distribution</h2>\(distribution.svg)"
  }

  /// Latencies by quantile, with a logarithmic axis: each step of it is ten times as rare.
  private var distribution: LineChart {
    let total = figures.total
    func points(_ histogram: LatencyHistogram) -> [(x: Double, y: Double)] {
      guard histogram.count > 0 else { return [] }
      return (0...40).map { (step) in
        let nines = Double(step) / 10
        return (nines, Double(histogram.quantile(1 - LineChart.power(0.1, nines))) / 1e3)
      }
    }
    var lines = [LineChart.Line(name: "from the intended start", style: "a", points: points(total.corrected))]
    if plan.model == .open {
      lines.append(.init(name: "from the actual start", style: "d", points: points(total.uncorrected)))
    }
    return LineChart(
      title: "Distribution", unit: "ms", axis: "share of the operations", lines: lines,
      ticks: [(0, "0"), (1, "90 %"), (2, "99 %"), (3, "99.9 %"), (4, "99.99 %")])
  }

  private static func latencies(_ histogram: LatencyHistogram) -> [String] {
    LatencyHistogram.reported.map { histogram.text($0.share) } + [histogram.text(1)]
  }

  private static func table(_ heads: [String], _ rows: [[String]]) -> String {
    func row(_ cells: [String], _ tag: String) -> String {
      "<tr>" + cells.map { "<\(tag)>\($0.escapedForTerminal.escapedForHTML)</\(tag)>" }.joined() + "</tr>"
    }
    return "<table>\(row(heads, "th"))\(rows.map { row($0, "td") }.joined())</table>"
  }
}
