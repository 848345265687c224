// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyFormats
internal import PasskeyLoad
internal import PasskeySystem

/// The live table of a load: redrawn in place on a terminal, once a second.
final class LoadDisplay {
  private let isEnabled: Bool
  private var lineCount = 0
  private var lastSecond = 0

  init(isEnabled: Bool) {
    self.isEnabled = isEnabled
  }

  /// Shows the latest second of a load.
  func show(_ snapshot: LoadSnapshot, searchingAt level: Double? = nil) {
    guard isEnabled else { return }
    let second = snapshot.second
    let figures = snapshot.figures
    let search = level.map { "searching at \($0.fixed(1)) · " } ?? ""
    func latency(_ value: Int64) -> String { second.successCount > 0 ? Double(value).asDuration : "-" }
    var rows = [
      ["rate", "p50", "p90", "p99", "p99.9", "failures", "running", "CPU"],
      [
        "\(second.rate.fixed(0))/s", latency(second.median), "", latency(second.p99), latency(second.p999),
        "\(second.failureCount)", "\(snapshot.running)",
        "\((second.processorShare * 100).fixed(0)) %",
      ],
    ]
    let total = figures.total
    if total.successCount + total.failureCount > 0 {
      rows.append(
        ["all"] + LatencyHistogram.reported.map { total.corrected.text($0.share) }
          + ["\(total.failureCount)"])
    }
    var lines = ["\(search)\(second.time.fixed(0)) s of \(snapshot.plannedSeconds.fixed(0)) s"]
    lines += TextTable(rows: rows, width: nil).text.split(separator: "\n").map(String.init)
    lines += LoadReport.sorted(total.failures).prefix(5).map { "\($0.count) × \($0.code.escapedForTerminal)" }
    draw(lines)
  }

  /// Shows the progress of a step with many accounts, at most once a second.
  func show(_ step: String, _ progress: Load.Progress) {
    guard isEnabled else { return }
    let second = time(nil)
    guard second != lastSecond || progress.count == progress.total else { return }
    lastSecond = second
    draw(["\(step): \(progress.count) of \(progress.total)"])
  }

  /// Removes the table.
  func end() {
    if isEnabled { draw([]) }
  }

  private func draw(_ lines: [String]) {
    let columns = TerminalWidth.columns(of: .standardError) ?? 80
    var text = lineCount > 0 ? "\u{1b}[\(lineCount)A" : ""
    text += "\r\u{1b}[J"
    for line in lines { text += line.prefix(columns - 1) + "\n" }
    lineCount = lines.count
    let bytes = [UInt8](text.utf8)
    _ = unsafe Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }
}
