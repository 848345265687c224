// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeySystem

/// A line on a terminal that shows the progress of a command and disappears at its end. Does nothing elsewhere.
package struct ProgressLine: Sendable {
  private let width: Int?

  package init() {
    let output = FileDescriptor.standardError
    width = output.isTerminal ? TerminalWidth.columns(of: output) ?? 80 : nil
  }

  package func show(_ text: String) {
    guard let width else { return }
    write("\r\u{1b}[K\(text.prefix(max(1, width - 1)))")
  }

  package func clear() {
    if width != nil { write("\r\u{1b}[K") }
  }

  private func write(_ text: String) {
    try? FileDescriptor.standardError.write([UInt8](text.utf8))
  }
}
